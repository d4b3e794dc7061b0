"""The kit's program with the real client of databricks-sdk, which speaks to a workspace in memory over HTTP."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from databricks.sdk import WorkspaceClient
from databricks.sdk.errors import NotFound
from databricks.sdk.errors.base import DatabricksError
from databricks.sdk.service.sql import StatementParameterListItem

from fake import FakeClient
from test_kit import NULL_KEY, Json, Run, play, rows
from workspace import Workspace

TABLE = r"/api/2\.1/unity-catalog/tables/(.+)"
PIPELINE = r"/api/2\.0/pipelines/([^/]+)"


def answered(fake: FakeClient, method: str, path: str, asked: Json) -> Json:
    """What a workspace answers, by the REST API's documentation."""
    if (method, path) == ("POST", "/api/2.0/sql/statements"):
        assert (asked["warehouse_id"], asked["disposition"], asked["format"]) == ("w", "INLINE", "JSON_ARRAY")
        given = [StatementParameterListItem.from_dict(it) for it in asked.get("parameters", [])]
        return fake.execute(asked["statement"], asked["warehouse_id"], parameters=given).as_dict()
    if found := re.fullmatch(TABLE, path):
        return fake.table(found[1]).as_dict()
    if path == "/api/2.0/pipelines":
        return {"statuses": [it.as_dict() for it in fake.listed(asked["filter"])]}
    if found := re.fullmatch(PIPELINE, path):
        return fake.pipeline(found[1]).as_dict()
    if found := re.fullmatch(PIPELINE + "/updates", path):
        known = {"full_refresh", "reset_checkpoint_selection", "development"}
        assert asked.keys() <= known, asked
        return fake.start(found[1], **dict.fromkeys(known) | asked).as_dict()
    if found := re.fullmatch(PIPELINE + "/updates/([^/]+)", path):
        return fake.update(found[1], found[2]).as_dict()
    if found := re.fullmatch(PIPELINE + "/events", path):
        assert asked["filter"] == "level='ERROR'"
        return {"events": [it.as_dict() for it in fake.events(found[1])]}
    raise NotFound(f"nothing is at {path}")


@contextmanager
def served(fake: FakeClient) -> Iterator[WorkspaceClient]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.answer({name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()})

        def do_POST(self) -> None:
            self.answer(json.loads(self.rfile.read(int(self.headers["Content-Length"])) or "{}"))

        def answer(self, asked: Json) -> None:
            code, body = 200, {}
            try:
                body = answered(fake, self.command, unquote(urlsplit(self.path).path), asked)
            except DatabricksError as error:
                is_lost = isinstance(error, NotFound)
                code = 404 if is_lost else 403
                body = {"error_code": "NOT_FOUND" if is_lost else "PERMISSION_DENIED", "message": str(error)}
            text = json.dumps(body).encode()
            self.send_response(code)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield WorkspaceClient(host=f"http://127.0.0.1:{server.server_port}", token="none", auth_type="pat")
    finally:
        server.shutdown()
        server.server_close()


def test_the_real_client_says_and_hears_what_the_kit_means(tmp_path: Path) -> None:
    refused = play("a", [rows(1), rows(2) | {"expect_error": "NULL_KEY"}, rows(3)])
    run = Run(tmp_path, refused, play("b", [rows(1), rows(2) | {"full_refresh": True}]), play("c", [rows(1)]))
    run.client.ends, run.client.errors = {2: "FAILED"}, {2: [NULL_KEY]}
    run.client.denied = ["`c_source`"]
    with served(run.client) as client:
        run.workspace = Workspace(client, "w", 60, pause=0)
        assert run.again(with_replay=True) == 1
        entries = run.entries()
        assert [next(iter(it.keys() & {"rows", "refused", "not_run"})) for it in entries] == [
            *("rows", "refused", "rows"),
            *("rows", "rows"),
            "not_run",
        ]
        assert entries[1]["refused"].startswith("AUTOCDC_MICROBATCH_VALIDATION.NULL_KEY: ")
        assert "PermissionDenied: User does not have CREATE TABLE" in entries[-1]["not_run"]
        assert [run.captured(it) for it in entries if "rows" in it] == [[[1]], [[3]], [[1]], [[2]]]
        assert run.client.updates[2:] == [
            ("id-a", False, ["dev.t.a_target"]),
            ("id-b", False, None),
            ("id-b", True, None),
            ("id-b", True, None),
        ]
        assert run.clean() == 0
    assert sorted(run.client.made) == ["`dev`.`t`.`a_target`", "`dev`.`t`.`b_target`"]


def test_a_capture_is_the_answer_as_it_came(tmp_path: Path) -> None:
    run = Run(tmp_path, play("a", [rows(1)]))
    with served(run.client) as client:
        run.workspace = Workspace(client, "w", 60, pause=0)
        assert run.again() == 0
    assert json.loads((run.folder / "captures" / "a.1.json").read_text("utf-8")) == {
        "statement_id": "s",
        "status": {"state": "SUCCEEDED"},
        "manifest": {
            "format": "JSON_ARRAY",
            "schema": {"columns": [{"name": "rows", "position": 0, "type_text": "STRING"}]},
            "total_row_count": 1,
        },
        "result": {"data_array": [['[["1"]]']]},
    }
