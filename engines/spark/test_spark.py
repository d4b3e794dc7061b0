#!/usr/bin/env python3
"""The engine for Apache Spark by its protocol, on published fixtures and beside refusals.

    python3 test_spark.py [COMMAND..]    the engine; by default run.sh beside this file

Needs what setup.sh installs, and no package of Python's; takes a minute or two.
"""

from __future__ import annotations

import collections
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
FIXTURES = HERE.parents[1] / "fixtures"
PUBLISHED = [
    "customers_current/exact_redelivery",
    "customers_current/explicit_null",
    "customers_current/ordering_and_delete",
    "customers_current/sequence_tie",
    "customers_current/update_and_mapping",
    "customer_history/users_scd2",
]
LACKED = "ignore_null_updates"

Row = dict[str, Any]
Answers = dict[int, tuple[str, dict[str, Any]]]


class Engine:
    """A running engine, in a process group and a folder of its own."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self.began = time.monotonic()
        # From a folder of its own, so that whatever it leaves is seen.
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            cwd=folder,
            env=os.environ | {"TMPDIR": str(folder)},
            start_new_session=True,
        )

    def tell(self, **message: Any) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def hear(self) -> tuple[str, dict[str, Any]]:
        assert self.process.stdout
        ((verb, body),) = json.loads(self.process.stdout.readline()).items()
        return verb, body

    def hello(self) -> dict[str, Any]:
        self.tell(hello={"protocol": 1})
        verb, body = self.hear()
        assert verb == "hello", verb
        self.note("hello")
        return body

    def flush(self, asked: int) -> Answers:
        self.tell(flush={})
        answers: Answers = {}
        for _ in range(asked):
            verb, body = self.hear()
            assert body["id"] not in answers, body
            answers[body["id"]] = verb, body
        self.note(f"{asked} batches")
        return answers

    def note(self, what: str) -> None:
        print(f"{time.monotonic() - self.began:6.1f} s  {what}", flush=True)

    def has_left(self) -> bool:
        """Whether the group is gone. A process that was killed is seen for a moment longer."""
        for _ in range(50):
            try:
                os.killpg(self.process.pid, 0)
            except ProcessLookupError:
                return True
            time.sleep(0.1)
        return False


def opened(name: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What an engine is told of a fixture, and its checkpoints."""
    path = FIXTURES / f"{name}.json"
    suite = json.loads((path.parent / "suite.json").read_text("utf-8"))
    fixture = json.loads(path.read_text("utf-8"))
    flow = fixture.get("flow", suite["flow"])
    types = fixture.get("schema", suite["schema"])
    left_out = flow.get("except_column_list", [])
    target = {column: types[column] for column in types if column not in left_out}
    if str(flow["stored_as_scd_type"]) == "2":
        sequence = types[flow["sequence_by"]]
        target |= {"__START_AT": sequence, "__END_AT": sequence}

    def columns(of: dict[str, str]) -> list[dict[str, str]]:
        return [{"name": column, "type": type_} for column, type_ in of.items()]

    told = {"fixture": name, "schema": columns(types), "flow": flow, "target": columns(target)}
    return told, fixture["checkpoints"]


def same(rows: list[Row], expected: list[Row]) -> bool:
    def bag(of: list[Row]) -> collections.Counter[str]:
        return collections.Counter(json.dumps(row, sort_keys=True) for row in of)

    return bag(rows) == bag(expected)


def customer(**values: Any) -> Row:
    row = {"customer_id": 7, "city": "Paris", "email": None, "operation": "INSERT"}
    return row | {"source_lsn": 1, "event_pos": 0} | values


def shown(city: str, customer_id: int = 7) -> list[Row]:
    return [{"customer_id": customer_id, "city": city, "email": None}]


def play(engine: Engine) -> None:
    hello = engine.hello()
    assert hello["name"] == "Apache Spark" and hello["scd_types"] == [1, 2], hello
    assert hello["protocol"] == 1 and LACKED not in hello["clauses"], hello

    plays = {}
    for id, name in enumerate(PUBLISHED):
        told, plays[id] = opened(name)
        engine.tell(open={"id": id} | told)
    told, _ = opened(PUBLISHED[0])
    # Beside them in the same pool: one with a null key, one that begins anew, one with a value that
    # no suspicion falls on. And flows that Spark refuses, or hasn't.
    null_key, anew, no_flow, lacked = range(len(PUBLISHED), len(PUBLISHED) + 4)
    for id, change in {
        null_key: {},
        anew: {},
        no_flow: {"keys": ["nobody"]},
        lacked: {LACKED: True},
    }.items():
        engine.tell(open={"id": id} | told | {"flow": told["flow"] | change})
    moscow = customer(city="Moscow", source_lsn=2)
    lyon = customer(customer_id=8, city="Lyon")
    more: list[dict[int, Any]] = [
        {null_key: [customer()], anew: [customer()], no_flow: [customer()], lacked: [customer()]},
        {null_key: [moscow, customer(customer_id=None, source_lsn=3)], anew: [lyon]},
        {null_key: [moscow], anew: []},
    ]

    for number in range(1, 1 + max(len(checkpoints) for checkpoints in plays.values())):
        batches = {
            id: checkpoints[number - 1]["append"]
            for id, checkpoints in plays.items()
            if number <= len(checkpoints)
        }
        batches |= more[number - 1] if number <= len(more) else {}
        for id, rows in batches.items():
            refresh = {"full_refresh": True} if (id, number) == (anew, 2) else {}
            engine.tell(batch={"id": id, "checkpoint": number, "rows": rows} | refresh)
        answers = engine.flush(len(batches))
        assert answers.keys() == batches.keys()
        for id, (verb, body) in answers.items():
            if id in (no_flow, lacked):
                assert verb == "refused" and "checkpoint" not in body, body
                cls = {no_flow: "AUTOCDC_", lacked: "UNSUPPORTED"}[id]
                assert body["class"].startswith(cls) and body["message"], body
                continue
            assert body["checkpoint"] == number, body
            if (id, number) == (null_key, 2):
                assert verb == "refused", body
                assert body["class"].split(".")[-1] == "NULL_KEY", body
                continue
            expected = {
                null_key: shown("Paris" if number == 1 else "Moscow"),
                anew: shown("Paris") if number == 1 else shown("Lyon", 8),
            }
            wanted = expected[id] if id in expected else plays[id][number - 1]["expect"]
            name = PUBLISHED[id] if id < len(PUBLISHED) else id
            assert verb == "rows", f"{name}, checkpoint {number}: {body}"
            assert same(body["rows"], wanted), f"{name}, checkpoint {number}: {body['rows']}"
    for id in [*plays, null_key, anew, no_flow, lacked]:
        engine.tell(close={"id": id})


def fail_once(engine: Engine, folder: Path, told: Row, rows: list[Row], expected: list[Row]) -> None:
    """Where streams can't write, a batch has failed and isn't refused; the next fixture goes well."""
    (own,) = folder.glob("killmatrix-spark-*")
    in_the_way = own / "storage"
    in_the_way.touch()
    engine.tell(open={"id": 1} | told)
    engine.tell(batch={"id": 1, "checkpoint": 1, "rows": rows})
    ((verb, body),) = engine.flush(1).values()
    assert verb == "failed" and body["checkpoint"] == 1, body
    assert "storage" in body["message"], body
    in_the_way.unlink()
    engine.tell(open={"id": 2} | told)
    engine.tell(batch={"id": 2, "checkpoint": 1, "rows": rows})
    ((verb, body),) = engine.flush(1).values()
    assert verb == "rows" and same(body["rows"], expected), body


def main(command: list[str]) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        engine = Engine(command, folder)
        try:
            play(engine)
            assert engine.process.stdin
            engine.process.stdin.close()
            assert engine.process.wait(30) == 0, engine.process.returncode
            engine.note("the end of its input")
            assert engine.has_left(), "a process is left"
            left = list(folder.iterdir())
            assert not left, left

            engine = Engine(command, folder)
            engine.hello()
            told, checkpoints = opened(PUBLISHED[0])
            rows = checkpoints[0]["append"]
            fail_once(engine, folder, told, rows, checkpoints[0]["expect"])
            engine.tell(batch={"id": 2, "checkpoint": 2, "rows": rows})
            engine.tell(flush={})
            engine.process.send_signal(signal.SIGTERM)
            assert engine.process.wait(30) == 128 + signal.SIGTERM, engine.process.returncode
            engine.note("SIGTERM while it works")
            assert engine.has_left(), "a process is left"
            left = list(folder.iterdir())
            assert not left, left
        finally:
            if engine.process.poll() is None:
                os.killpg(engine.process.pid, signal.SIGKILL)
    print("The engine for Apache Spark passes.")


def test_spark() -> None:
    main([str(HERE / "run.sh")])


if __name__ == "__main__":
    main(sys.argv[1:] or [str(HERE / "run.sh")])
