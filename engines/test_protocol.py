"""The messages: the schema, the transcript, and what no engine understands."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from driver import DEADLINE, HERE, Engine, fixtures
from killmatrix_engine import Failed, answered

SCHEMA = json.loads((HERE / "protocol.schema.json").read_text("utf-8"))
TRANSCRIPT = [json.loads(line) for line in (HERE / "transcript.jsonl").read_text("utf-8").splitlines()]
ENGINES = [
    ["example.py"],
    ["sqlite_merge.py"],
    ["sqlite_merge.py", "--naive"],
    ["duckdb_merge.py"],
    ["duckdb_merge.py", "--naive"],
]
SHARED = ENGINES[1:]

HELLO = {"hello": {"protocol": 1}}
OPEN = next(line["to_engine"] for line in TRANSCRIPT if "open" in line.get("to_engine", {}))
BATCH = next(line["to_engine"] for line in TRANSCRIPT if "batch" in line.get("to_engine", {}))


def validator(direction: str) -> Draft202012Validator:
    return Draft202012Validator({**SCHEMA, "oneOf": [{"$ref": f"#/$defs/{direction}"}]})


def played(command: list[str], *lines: Any) -> subprocess.CompletedProcess[str]:
    """An engine that is given all lines at once: texts as they are, all else as JSON."""
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    return subprocess.run(
        [sys.executable, HERE / command[0], *command[1:]], input=text, capture_output=True, text=True, timeout=DEADLINE
    )


def answers(run: subprocess.CompletedProcess[str]) -> list[Any]:
    return [json.loads(line) for line in run.stdout.splitlines()]


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("line", TRANSCRIPT, ids=lambda line: next(iter(next(iter(line.values())))))
def test_the_transcript_keeps_to_the_schema(line: dict[str, Any]) -> None:
    [(direction, message)] = line.items()
    validator(direction).validate(message)
    other = {"to_engine": "from_engine", "from_engine": "to_engine"}[direction]
    assert not validator(other).is_valid(message)


def test_the_transcript_has_every_message() -> None:
    for direction in ("to_engine", "from_engine"):
        said = {next(iter(line[direction])) for line in TRANSCRIPT if direction in line}
        names = {
            next(iter(SCHEMA["$defs"][one["$ref"].rsplit("/", 1)[1]]["properties"]))
            for one in SCHEMA["$defs"][direction]["oneOf"]
        }
        # Nothing stands in the way of an engine that keeps its tables in memory.
        assert said == names - {"failed"}


def test_the_example_plays_the_transcript() -> None:
    run = played(["example.py"], *(line["to_engine"] for line in TRANSCRIPT if "to_engine" in line))
    assert answers(run) == [line["from_engine"] for line in TRANSCRIPT if "from_engine" in line]
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.parametrize(
    "message",
    [
        {"rows": {"id": 1, "checkpoint": 1}},
        {"rows": {"id": 1, "checkpoint": 0, "rows": []}},
        {"rows": {"id": "1", "checkpoint": 1, "rows": []}},
        {"refused": {"id": 1, "class": "null key", "message": ""}},
        {"failed": {"id": 1, "checkpoint": 1}},
        {"failed": {"id": 1, "checkpoint": 1, "message": ""}},
        {"hello": {"protocol": 2, "name": "x", "version": "1", "scd_types": [1], "clauses": []}},
        {"hello": {"protocol": 1, "name": "x", "version": "1", "scd_types": [3], "clauses": []}},
        {"flush": {}, "close": {"id": 1}},
        {"done": {}},
        [],
    ],
)
def test_the_schema_refuses_what_is_no_message(message: Any) -> None:
    assert not Draft202012Validator(SCHEMA).is_valid(message)


class Wall:
    def hello(self) -> dict[str, Any]:
        return {"name": "wall", "version": "1", "scd_types": [1], "clauses": []}

    def open(self, _: dict[str, Any]) -> None:
        pass

    def batch(self, message: dict[str, Any]) -> list[Any]:
        raise Failed(f"no right to write batch {message['checkpoint']}")


def test_what_fails_is_said_to_have_failed() -> None:
    is_taken = {1: True}
    answer = answered(Wall(), is_taken, "batch", {"id": 1, "checkpoint": 2, "rows": []})
    assert answer == {"failed": {"id": 1, "checkpoint": 2, "message": "no right to write batch 2"}}
    validator("from_engine").validate(answer)
    longer = {"refused": {"id": 1, "checkpoint": 1, "class": "AUTOCDC_MICROBATCH_VALIDATION.NULL_KEY", "message": ""}}
    validator("from_engine").validate(longer)
    slow = {"hello": {"protocol": 1, "name": "x", "version": "1", "scd_types": [1], "clauses": [], "at_once": 64}}
    validator("from_engine").validate(slow)


@pytest.mark.parametrize("command", ENGINES, ids=" ".join)
def test_answers_keep_to_the_schema(command: list[str]) -> None:
    null_key = {"batch": {**BATCH["batch"], "checkpoint": 2, "rows": [{"lsn": 1}]}}
    run = played(command, HELLO, OPEN, BATCH, {"flush": {}}, null_key, {"flush": {}}, {"close": {"id": 1}})
    for answer in answers(run):
        validator("from_engine").validate(answer)
    assert [next(iter(answer)) for answer in answers(run)][:2] == ["hello", "rows"]
    assert run.returncode == 0


@pytest.mark.parametrize("command", ENGINES, ids=" ".join)
def test_the_end_of_input_ends_an_engine(command: list[str]) -> None:
    assert played(command).returncode == 0
    cut_short = played(command, HELLO, OPEN)
    assert (cut_short.returncode, len(answers(cut_short))) == (0, 1)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("customers: 3", "line 2: not JSON"),
        ("", "line 2: not JSON"),
        ([1], "line 2: expected an object with one message"),
        ({"flush": {}, "close": {}}, "line 2: expected an object with one message"),
        ({"flush": None}, "line 2: expected an object with one message"),
        ({"rewind": {"id": 1}}, "line 2: unknown message `rewind`; expected hello, open, batch, flush, close"),
        ({"batch": {"id": 1}}, "line 2: `batch` without checkpoint, rows"),
        ({"hello": {"protocol": 2}}, "line 2: expected protocol 1, not 2"),
        (BATCH, "line 2: `batch` of 1, which isn't open"),
        ({"close": {"id": 5}}, "line 2: `close` of 5, which isn't open"),
    ],
)
@pytest.mark.parametrize("command", SHARED, ids=" ".join)
def test_what_is_not_understood_ends_an_engine(command: list[str], line: Any, said: str) -> None:
    run = played(command, HELLO, line, HELLO)
    assert run.returncode == 1
    assert said in run.stderr
    assert "Traceback" not in run.stderr
    assert len(answers(run)) == 1


def test_the_example_ends_at_garbage_too() -> None:
    run = played(["example.py"], HELLO, "customers: 3", HELLO)
    assert (run.returncode, len(answers(run))) == (1, 1)


@pytest.mark.parametrize("command", SHARED, ids=" ".join)
def test_a_refused_fixture_is_passed_over(command: list[str]) -> None:
    maps = {"open": {**OPEN["open"], "schema": [*OPEN["open"]["schema"], {"name": "tags", "type": "MAP<STRING, INT>"}]}}
    other = {"open": {**OPEN["open"], "id": 2}}
    run = played(command, HELLO, maps, other, BATCH, {"batch": {**BATCH["batch"], "id": 2}}, {"close": {"id": 1}})
    hello, refused, rows = answers(run)
    assert (refused["refused"]["id"], refused["refused"]["class"]) == (1, "UNSUPPORTED_TYPE")
    assert (rows["rows"]["id"], len(rows["rows"]["rows"])) == (2, 2)


@pytest.mark.parametrize("command", ENGINES, ids=" ".join)
def test_two_fixtures_at_once_have_a_table_each(command: list[str]) -> None:
    second = {"batch": {"id": 2, "checkpoint": 1, "rows": [{"id": 9, "city": "Metz", "op": "INSERT", "lsn": 1}]}}
    run = played(command, HELLO, OPEN, {"open": {**OPEN["open"], "id": 2}}, BATCH, second)
    _, first, other = answers(run)
    assert sorted(row["city"] for row in first["rows"]["rows"]) == ["Lyon", "Paris"]
    assert other["rows"]["rows"] == [{"id": 9, "city": "Metz"}]


def test_an_engine_stays_up_over_many_fixtures() -> None:
    with Engine("sqlite_merge.py") as engine:
        for _ in range(20):
            assert engine.play(fixtures("customers_current")[0]) is None
