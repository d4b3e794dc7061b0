"""A workspace in memory, spoken to as `databricks.sdk.WorkspaceClient` is: its own classes, no network.

A target is whatever its source holds: these tests are about what is asked of a workspace, not about AUTO CDC.
"""

from __future__ import annotations

import re
import threading
from types import SimpleNamespace
from typing import Any

from databricks.sdk.errors import NotFound, PermissionDenied
from databricks.sdk.service.catalog import TableInfo
from databricks.sdk.service.pipelines import (
    GetPipelineResponse,
    GetUpdateResponse,
    PipelineEvent,
    PipelineStateInfo,
    StartUpdateResponse,
)
from databricks.sdk.service.sql import StatementParameterListItem, StatementResponse

Json = dict[str, Any]

NAME = r"((?:`(?:[^`]|``)+`\.){2}`(?:[^`]|``)+`)"


class FakeClient:
    """Tables by their paths, and the pipelines of a plan."""

    def __init__(self, plan: Json) -> None:
        self.lock = threading.Lock()
        self.statements: list[tuple[str, dict[str, str]]] = []
        # Each with its rows, its properties, and the pipeline that made it.
        self.made: dict[str, Json] = {}
        # (pipeline, full refresh, flows that are reset), in order.
        self.updates: list[tuple[str, bool, list[str] | None]] = []
        self.stopped: list[str] = []
        # What goes wrong: words of statements that are denied; by the number of an update, from 1, how it ends.
        self.denied: list[str] = []
        self.ends: dict[int, str] = {}
        self.errors: dict[int, list[str]] = {}
        self.chunks = 1
        self.deployed = {
            f"id-{it['key']}": {
                "name": it["pipeline"],
                "catalog": plan["catalog"],
                "schema": plan["schema"],
                "configuration": {
                    "cdc.source_table": f"`{plan['catalog']}`.`{plan['schema']}`.`{it['source_table']}`",
                    "cdc.target_table": it["target_table"],
                },
            }
            for it in plan["plays"]
        }
        self.statement_execution = SimpleNamespace(
            execute_statement=self.execute, get_statement=None, cancel_execution=None
        )
        self.tables = SimpleNamespace(get=self.table)
        self.pipelines = SimpleNamespace(
            list_pipelines=self.listed,
            get=self.pipeline,
            start_update=self.start,
            get_update=self.update,
            list_pipeline_events=self.events,
            stop=self.stop,
        )

    def execute(self, statement: str, warehouse_id: str, **asked: Any) -> StatementResponse:
        parameters: list[StatementParameterListItem] = asked["parameters"]
        with self.lock:
            self.statements.append((statement, {it.name: it.value or "" for it in parameters}))
            if any(word in statement for word in self.denied):
                raise PermissionDenied("User does not have CREATE TABLE on Schema 'dev.t'.")
            return self.answer(statement, self.statements[-1][1])

    def answer(self, statement: str, parameters: dict[str, str]) -> StatementResponse:
        rows: list[list[str]] = []
        if found := re.match(rf"CREATE TABLE {NAME} \(.*\) TBLPROPERTIES \('([^']*)' = '([^']*)'\)$", statement, re.S):
            assert found[1] not in self.made
            self.made[found[1]] = {"rows": [], "properties": [[found[2], found[3]]], "pipeline": None}
        elif found := re.match(rf"INSERT INTO {NAME} ", statement):
            self.made[found[1]]["rows"].append(parameters["rows"])
        elif found := re.match(rf"TRUNCATE TABLE {NAME}$", statement):
            self.made[found[1]]["rows"].clear()
        elif found := re.match(rf"DROP TABLE {NAME}$", statement):
            del self.made[found[1]]
        elif found := re.match(rf"SHOW TBLPROPERTIES {NAME}$", statement):
            rows = self.made[found[1]]["properties"]
        elif found := re.match(rf"SELECT \* FROM {NAME}$", statement):
            rows = [[it] for it in self.made[found[1]]["rows"]]
        else:
            raise AssertionError(statement)
        result: Json = {"data_array": rows}
        if self.chunks > 1:
            result["next_chunk_index"] = 1
        columns = [{"name": "rows", "position": 0, "type_text": "STRING"}]
        manifest = {"format": "JSON_ARRAY", "schema": {"columns": columns}, "total_row_count": len(rows)}
        return StatementResponse.from_dict(
            {"statement_id": "s", "status": {"state": "SUCCEEDED"}, "manifest": manifest, "result": result}
        )

    def table(self, full_name: str) -> TableInfo:
        path = ".".join(f"`{part}`" for part in full_name.split("."))
        if path not in self.made:
            raise NotFound(f"Table '{full_name}' does not exist.")
        return TableInfo(full_name=full_name, pipeline_id=self.made[path]["pipeline"])

    def listed(self, filter: str) -> list[PipelineStateInfo]:
        pattern = filter.removeprefix("name LIKE '").removesuffix("'").replace("_", ".").replace("%", ".*")
        found = {it: spec for it, spec in self.deployed.items() if re.fullmatch(pattern, spec["name"])}
        return [PipelineStateInfo(name=spec["name"], pipeline_id=it) for it, spec in found.items()]

    def pipeline(self, pipeline_id: str) -> GetPipelineResponse:
        return GetPipelineResponse.from_dict({"pipeline_id": pipeline_id, "spec": self.deployed[pipeline_id]})

    def start(self, pipeline_id: str, **asked: Any) -> StartUpdateResponse:
        assert asked["development"] is True
        with self.lock:
            self.updates.append((pipeline_id, asked["full_refresh"], asked["reset_checkpoint_selection"]))
            number = len(self.updates)
            end = self.ends.get(number, "COMPLETED")
            if end == "DENIED":
                raise PermissionDenied("User doesn't have permission to start an update.")
            if end == "COMPLETED":
                spec = self.deployed[pipeline_id]
                target = f"`{spec['catalog']}`.`{spec['schema']}`.`{spec['configuration']['cdc.target_table']}`"
                rows = list(self.made[spec["configuration"]["cdc.source_table"]]["rows"])
                self.made[target] = {"rows": rows, "properties": [], "pipeline": pipeline_id}
            return StartUpdateResponse(update_id=str(number))

    def update(self, pipeline_id: str, update_id: str) -> GetUpdateResponse:
        state = self.ends.get(int(update_id), "COMPLETED")
        return GetUpdateResponse.from_dict({"update": {"update_id": update_id, "state": state}})

    def events(self, pipeline_id: str, **_: Any) -> list[PipelineEvent]:
        events = [
            {
                "message": "Flow has FAILED.",
                "origin": {"update_id": str(number)},
                "error": {"exceptions": [{"message": text} for text in texts]},
            }
            for number, texts in self.errors.items()
        ]
        return [PipelineEvent.from_dict(it) for it in events]

    def stop(self, pipeline_id: str) -> Any:
        self.stopped.append(pipeline_id)
        return SimpleNamespace(result=lambda timeout: None)
