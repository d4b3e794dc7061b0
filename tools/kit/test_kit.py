"""The kit's program against a workspace in memory: what it asks, what it writes, what it leaves alone."""

from __future__ import annotations

import json
import re
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "cdc-killmatrix" / "src" / "kit"))

import kit
from fake import FakeClient
from play import NotRun, Record, hash_of
from tables import Tables, literal, quoted
from workspace import Workspace

Json = dict[str, Any]

HOSTILE = "'); DROP TABLE x; -- \\' ` :rows ${var.catalog}\n"
NULL_KEY = "[AUTOCDC_MICROBATCH_VALIDATION.NULL_KEY] A key is null. SQLSTATE: 22000\nat Stack.trace"

NULL_SEQUENCE = NULL_KEY.replace("NULL_KEY", "NULL_SEQUENCE")
NO_COLUMN = "[AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA] These columns are not present: nobody. SQLSTATE: 42703"
# What `hash_of` says of a kit.
KIT = "2c26b46b"


def play(key: str, checkpoints: list[Json], **more: Any) -> Json:
    columns = [{"name": "id", "type": "BIGINT", "form": "text", "read_as": "BIGINT"}]
    numbered = [{"checkpoint": n, "is_compared": True} | it for n, it in enumerate(checkpoints, 1)]
    return {
        "key": key,
        "name": f"s/{key}",
        "fixture": f"fixtures/s/{key}.json",
        "pipeline": f"killmatrix dev.t {key}",
        "source_table": f"{key}_source",
        "target_table": f"{key}_target",
        "columns": columns,
        "checkpoints": numbered,
    } | more


def rows(*ids: int) -> Json:
    return {"append": [{"id": id} for id in ids]}


def plan_of(*plays: Json) -> Json:
    return {"format": 1, "catalog": "dev", "schema": "t", "plays": list(plays), "left_out": []}


class Run:
    """A run of a plan, in a folder."""

    def __init__(self, folder: Path, *plays: Json, timeout: float = 60) -> None:
        self.plan = plan_of(*plays)
        self.client = FakeClient(self.plan)
        self.workspace = Workspace(self.client, "w", timeout, pause=0)  # type: ignore[arg-type]
        self.folder = folder / "run"

    def again(self, *only: str, with_replay: bool = False) -> int:
        record = Record(self.folder, KIT)
        return kit.run(self.workspace, self.plan, record, list(only), 1, with_replay=with_replay)

    def clean(self) -> int:
        return kit.clean(self.workspace, Record(self.folder, KIT))

    def entries(self, name: str = "manifest") -> list[Json]:
        entries: list[Json] = json.loads((self.folder / f"{name}.json").read_text("utf-8"))["captures"]
        return entries

    def captured(self, entry: Json) -> list[list[int]]:
        """The batches that a capture of the fake's shows."""
        answer = json.loads((self.folder / entry["rows"]).read_text("utf-8"))
        return [[int(row[0]) for row in json.loads(batch)] for (batch,) in answer["result"]["data_array"]]


def test_checkpoints_are_played_in_order_by_ordinary_updates(tmp_path: Path) -> None:
    run = Run(tmp_path, play("a", [rows(1), rows(2, 3), rows()]))
    assert run.again() == 0
    assert run.client.updates == [("id-a", False, None)] * 3
    entries = run.entries()
    assert [it["checkpoint"] for it in entries] == [1, 2, 3]
    assert [run.captured(it) for it in entries] == [[[1]], [[1], [2, 3]], [[1], [2, 3]]]
    assert all((run.folder / it["fixture"]).resolve().name == "a.json" for it in entries)
    assert not (run.folder / "replay.json").exists()


def test_the_replay_is_a_full_refresh_and_a_manifest_of_its_own(tmp_path: Path) -> None:
    run = Run(tmp_path, play("a", [rows(1), rows(2)]), play("b", [rows(1)], mutant="arrival_order"))
    assert run.again(with_replay=True) == 0
    assert run.client.updates == [("id-a", False, None)] * 2 + [("id-a", True, None), ("id-b", False, None)]
    (replay,) = run.entries("replay")
    assert replay["checkpoint"] == 2 and run.captured(replay) == [[1], [2]]
    assert [it.get("mutant") for it in run.entries()] == [None, None, "arrival_order"]


def test_a_full_refresh_of_the_fixture_empties_the_source_first(tmp_path: Path) -> None:
    run = Run(tmp_path, play("a", [rows(1), rows(2) | {"full_refresh": True}, rows(3)]))
    assert run.again() == 0
    assert [full for _, full, _ in run.client.updates] == [False, True, False]
    assert [run.captured(it) for it in run.entries()] == [[[1]], [[2]], [[2], [3]]]


def test_a_checkpoint_that_expects_nothing_is_played_and_not_captured(tmp_path: Path) -> None:
    run = Run(tmp_path, play("a", [rows(1) | {"is_compared": False}, rows(2)]))
    assert run.again() == 0
    assert [it["checkpoint"] for it in run.entries()] == [2] and len(run.client.updates) == 2


def test_a_checkpoint_that_expects_nothing_and_is_not_run_is_told(tmp_path: Path) -> None:
    run = Run(tmp_path, play("a", [rows(1), rows(2) | {"is_compared": False}]))
    run.client.ends = {2: "CANCELED"}
    assert run.again() == 1
    assert [it["checkpoint"] for it in run.entries()] == [1, 2]
    assert "CANCELED" in run.entries()[1]["not_run"]


def test_a_permission_that_lacks_is_not_run(tmp_path: Path) -> None:
    run = Run(tmp_path, play("a", [rows(1), rows(2)]), play("b", [rows(1)]))
    run.client.denied = ["`a_source`"]
    assert run.again(with_replay=True) == 1
    first, second, other = run.entries()
    assert "PermissionDenied: User does not have CREATE TABLE" in first["not_run"] == second["not_run"]
    assert "rows" not in first and "rows" in other
    assert "not_run" in run.entries("replay")[0]
    assert run.client.updates == [("id-b", False, None), ("id-b", True, None)]


@pytest.mark.parametrize("end", ["DENIED", "FAILED", "CANCELED"])
def test_an_update_that_is_not_completed_is_not_run_nor_is_what_follows(tmp_path: Path, end: str) -> None:
    run = Run(tmp_path, play("a", [rows(1), rows(2), rows(3)]))
    run.client.ends, run.client.errors = {2: end}, {2: [NULL_KEY]}
    assert run.again() == 1
    first, second, third = run.entries()
    assert "rows" in first and second.keys() == third.keys() == {"fixture", "checkpoint", "not_run"}
    assert third["not_run"] == f"checkpoint 2 wasn't run: {second['not_run']}"
    assert len(run.client.updates) == 2


def test_an_update_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    run = Run(tmp_path, play("a", [rows(1)]), timeout=0)
    run.client.ends = {1: "RUNNING"}
    assert run.again() == 1
    assert run.client.stopped == ["id-a"]
    assert "took more than 0 s" in run.entries()[0]["not_run"]


def test_a_refused_batch_is_told_by_its_class_and_taken_out_of_the_source(tmp_path: Path) -> None:
    run = Run(tmp_path, play("a", [rows(1), rows(2) | {"expect_error": "NULL_KEY"}, rows(3), rows(4)]))
    run.client.ends = {2: "FAILED"}
    earlier = NULL_KEY.replace("NULL_KEY", "NULL_SEQUENCE")
    run.client.errors = {1: [earlier], 2: ["[STREAM_FAILED] Query terminated.", NULL_KEY]}
    assert run.again(with_replay=True) == 0
    entries = run.entries()
    text = f"AUTOCDC_MICROBATCH_VALIDATION.NULL_KEY: {NULL_KEY.splitlines()[0]}"
    assert entries[1]["refused"] == text and "rows" not in entries[1]
    assert run.client.updates[2:] == [("id-a", False, ["dev.t.a_target"]), ("id-a", False, None)]
    assert run.captured(entries[3]) == [[3], [4]], "the source holds what came after the refusal"
    assert not (run.folder / "replay.json").exists()


@pytest.mark.parametrize("texts", [[], ["out of memory"], ["[TABLE_OR_VIEW_NOT_FOUND] no table"], [NO_COLUMN]])
def test_a_failure_without_a_class_of_a_microbatch_is_no_refusal(tmp_path: Path, texts: list[str]) -> None:
    run = Run(tmp_path, play("a", [rows(1) | {"expect_error": "NULL_KEY"}]))
    run.client.ends, run.client.errors = {1: "FAILED"}, {1: texts}
    assert run.again() == 1
    assert "FAILED" in run.entries()[0]["not_run"] and "refused" not in run.entries()[0]


@pytest.mark.parametrize(
    ("expected", "text"),
    [("NULL_KEY", NULL_SEQUENCE), ("AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA", NO_COLUMN), ("OWN_CHECK", "[OWN_CHECK] no")],
)
def test_a_refusal_has_the_expected_class_or_one_of_a_microbatch(tmp_path: Path, expected: str, text: str) -> None:
    run = Run(tmp_path, play("a", [rows(1) | {"expect_error": expected}]))
    run.client.ends, run.client.errors = {1: "FAILED"}, {1: [text]}
    assert run.again() == 0
    cls = text[1 : text.index("]")]
    assert run.entries()[0]["refused"].startswith(f"{cls}: ")


def test_a_batch_that_is_accepted_where_an_error_is_expected_is_captured(tmp_path: Path) -> None:
    run = Run(tmp_path, play("a", [rows(1) | {"expect_error": "NULL_KEY"}]))
    assert run.again() == 0
    assert run.captured(run.entries()[0]) == [[1]]


@pytest.mark.parametrize("table", ["a_source", "a_target"])
def test_a_table_that_is_there_already_is_not_used_and_not_dropped(tmp_path: Path, table: str) -> None:
    run = Run(tmp_path, play("a", [rows(1)]))
    foreign = {"rows": ["[[9]]"], "properties": [], "pipeline": None}
    run.client.made[f"`dev`.`t`.`{table}`"] = foreign
    assert run.again() == 1
    assert f"dev.t.{table} is there already" in run.entries()[0]["not_run"]
    assert run.clean() == 0
    assert run.client.made == {f"`dev`.`t`.`{table}`": foreign} and run.client.updates == []


def test_clean_up_drops_the_own_sources_only(tmp_path: Path) -> None:
    run = Run(tmp_path, play("a", [rows(1)]), play("b", [rows(1)]))
    run.client.made["`dev`.`t`.`orders`"] = {"rows": [], "properties": [], "pipeline": None}
    assert run.again() == 0
    # Somebody made another table in the place of one.
    run.client.made["`dev`.`t`.`b_source`"] = {"rows": [], "properties": [["owner", "ana"]], "pipeline": None}
    assert run.clean() == 1
    assert sorted(run.client.made) == [f"`dev`.`t`.`{it}`" for it in ("a_target", "b_source", "b_target", "orders")]
    assert [it for it, _ in run.client.statements if "DROP" in it] == ["DROP TABLE `dev`.`t`.`a_source`"]
    del run.client.made["`dev`.`t`.`b_source`"]
    assert run.clean() == 0


def test_a_run_that_is_cleaned_up_is_not_gone_on_with(tmp_path: Path) -> None:
    run = Run(tmp_path, play("a", [rows(1)]))
    assert (run.again(), run.clean()) == (0, 0)
    with pytest.raises(SystemExit, match="is cleaned up; expected another folder"):
        run.again()


def test_the_folder_of_another_kit_is_not_used(tmp_path: Path) -> None:
    run = Run(tmp_path, play("a", [rows(1)]))
    assert run.again() == 0
    before = (run.folder / "record.json").read_bytes()
    with pytest.raises(NotRun, match="holds the run of another kit; expected another folder: --run FOLDER"):
        Record(run.folder, KIT[::-1])
    assert (run.folder / "record.json").read_bytes() == before


def test_a_kit_is_another_with_another_plan_or_another_definition(tmp_path: Path) -> None:
    def hashed(value: int, definition: str) -> str:
        plan = plan_of(play("a", [rows(value)], definition="a.py"), play("b", [rows(1)], definition="a.py"))
        (tmp_path / "plan.json").write_text(json.dumps(plan), "utf-8")
        (tmp_path / "a.py").write_text(definition, "utf-8")
        return hash_of(tmp_path)

    assert hashed(1, "scd 1") == hashed(1, "scd 1")
    assert len({hashed(1, "scd 1"), hashed(2, "scd 1"), hashed(1, "scd 2")}) == 3


def test_what_was_played_is_not_played_again_and_no_capture_is_overwritten(tmp_path: Path) -> None:
    run = Run(tmp_path, play("a", [rows(1)]), play("b", [rows(2)]))
    assert run.again("a") == 0
    before = (run.folder / "captures" / "a.1.json").read_bytes()
    assert run.again() == 0
    assert run.client.updates == [("id-a", False, None), ("id-b", False, None)]
    assert (run.folder / "captures" / "a.1.json").read_bytes() == before
    assert [it["rows"] for it in run.entries()] == ["captures/a.1.json", "captures/b.1.json"]


def test_a_capture_that_is_there_is_kept_and_the_checkpoint_is_not_run(tmp_path: Path) -> None:
    run = Run(tmp_path, play("a", [rows(1)]))
    kept = run.folder / "captures" / "a.1.json"
    kept.parent.mkdir(parents=True)
    kept.write_text("evidence", "utf-8")
    assert run.again() == 1
    assert run.entries()[0]["not_run"] == "captures/a.1.json is there already, and no capture is overwritten"
    assert kept.read_text("utf-8") == "evidence"


def test_a_play_that_was_interrupted_is_not_run(tmp_path: Path) -> None:
    run = Run(tmp_path, play("a", [rows(1), rows(2)]))
    Record(run.folder, KIT).begins(run.plan["plays"][0])
    assert run.again() == 1
    assert all("interrupted" in it["not_run"] for it in run.entries()) and run.client.statements == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"schema": "prod"}, "isn't the one of this kit"),
        ({"configuration": {"cdc.source_table": "`dev`.`t`.`other`"}}, "isn't the one of this kit"),
        ({"name": "other"}, "0 pipelines are called"),
        (None, "2 pipelines are called"),
    ],
)
def test_a_pipeline_that_is_not_the_kits_is_not_started(tmp_path: Path, change: Json | None, reason: str) -> None:
    run = Run(tmp_path, play("a", [rows(1)]))
    if change is None:
        run.client.deployed["id-2"] = run.client.deployed["id-a"]
    else:
        run.client.deployed["id-a"] |= change
    assert run.again() == 1
    assert reason in run.entries()[0]["not_run"]
    assert run.client.updates == [] and run.client.statements == []


def test_a_pipeline_whose_name_is_only_alike_is_another(tmp_path: Path) -> None:
    run = Run(tmp_path, play("a_b", [rows(1)]), play("axb", [rows(1)]))
    assert run.again("a_b") == 0
    assert run.client.updates == [("id-a_b", False, None)]


def test_rows_that_come_in_parts_are_not_run(tmp_path: Path) -> None:
    run = Run(tmp_path, play("a", [rows(1)]))
    run.client.chunks = 2
    assert run.again() == 1
    assert "don't fit into one answer" in run.entries()[0]["not_run"]


def test_no_statement_names_anything_outside_the_schema(tmp_path: Path) -> None:
    checkpoints = [rows(1), rows(2) | {"full_refresh": True}]
    run = Run(tmp_path, play("a", checkpoints), play("b", checkpoints, mutant="arrival_order"))
    assert (run.again(with_replay=True), run.clean()) == (0, 0)
    for statement, _ in run.client.statements:
        paths = re.findall(r"(?:FROM|TABLE|INTO|TBLPROPERTIES) (`.*?`(?:\.`.*?`)*)", statement)
        assert paths and all(path.startswith("`dev`.`t`.") for path in paths), statement


def test_values_are_parameters_and_names_are_quoted() -> None:
    forms = [("text", "STRING"), ("base64", "BINARY"), ("json", f"STRUCT<{quoted(HOSTILE)}: INT>"), ("pairs", "X")]
    columns = [{"name": HOSTILE + form, "type": of, "form": form, "read_as": of} for form, of in forms]
    tables = Tables(plan_of(), play("a", [], columns=columns))
    for statement in (tables.create("token"), tables.append()):
        # Without what is quoted nothing of the text is left.
        rest = re.sub(r"`(?:[^`]|``)*`|'(?:[^'\\]|\\.)*'", "?", statement, flags=re.S)
        assert "DROP" not in rest and "'" not in rest and "`" not in rest, rest
    row = {columns[0]["name"]: HOSTILE, columns[2]["name"]: {HOSTILE: 1}, columns[3]["name"]: [[HOSTILE, None]]}
    (text, data, struct, pairs) = json.loads(tables.rows([row]))[0]
    assert (text, data, json.loads(struct)) == (HOSTILE, None, {HOSTILE: 1})
    assert json.loads(pairs) == [{"key": HOSTILE, "value": None}]
    assert HOSTILE not in tables.append().replace(quoted(HOSTILE), "")


def test_numbers_keep_their_digits() -> None:
    of = [("n", "text"), ("flag", "text"), ("list", "json")]
    columns = [{"name": name, "type": "X", "form": form, "read_as": "X"} for name, form in of]
    tables = Tables(plan_of(), play("a", [], columns=columns))
    text = '[{"n": 9007199254740993, "flag": false, "list": [0.10000000000000000001, true, null]}, {"n": 1e-7}]'
    read = json.loads(text, parse_float=Decimal)
    assert json.loads(tables.rows(read)) == [
        ["9007199254740993", "false", "[0.10000000000000000001, true, null]"],
        ["1E-7", None, None],
    ]


def test_a_literal_reads_as_its_text() -> None:
    assert literal("a'b\\c") == r"'a\'b\\c'"
    assert quoted("a`b") == "`a``b`"
