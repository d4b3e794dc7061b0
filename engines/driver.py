"""Plays fixtures on an engine, for the tests of the engines: a small twin of `cdc-killmatrix run --engine`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from killmatrix_values import moment

HERE = Path(__file__).parent
FIXTURES = HERE.parent / "fixtures"
DEADLINE = 60  # seconds for an engine to end

CHECKPOINT = {"append", "expect", "expect_any", "expect_error", "note", "observed"}
PLAIN = {"keys", "sequence_by", "stored_as_scd_type"}
Row = dict[str, Any]


class Unsupported(Exception):
    """What the engine doesn't say it has, or what only the command reads."""


@dataclass
class Difference:
    """After which checkpoint the table is wrong first, the missing rows, and those too many."""

    checkpoint: int
    missing: list[Row]
    extra: list[Row]
    said: str = ""
    """What took the place of rows: a refusal, or none where one was expected."""


class Engine:
    """An engine that runs, and what it says of itself."""

    def __init__(self, *command: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, HERE / command[0], *command[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.opened = 0
        self.says = self.ask({"hello": {"protocol": 1}})["hello"]

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.stdin.close()
        assert self.process.wait(DEADLINE) == 0
        assert self.process.stdout.read() == ""

    def tell(self, message: Row) -> None:
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, message: Row) -> Row:
        self.tell(message)
        return json.loads(self.process.stdout.readline(), parse_float=Decimal)

    def play(self, path: Path) -> Difference | None:
        """The first difference, if there is one."""
        fixture = read(path)
        flow, schema, target = fixture["flow"], fixture["schema"], fixture["target"]
        self.must_have(flow, fixture["checkpoints"])
        self.opened += 1
        place = {"id": self.opened, "fixture": fixture["name"]}
        self.tell({"open": {**place, "schema": columns(schema), "flow": flow, "target": columns(target)}})
        for number, checkpoint in enumerate(fixture["checkpoints"], 1):
            batch = {"id": self.opened, "checkpoint": number, "rows": rows(checkpoint.get("append", []), schema)}
            if checkpoint.get("full_refresh"):
                batch["full_refresh"] = True
            answer = self.ask({"batch": batch})
            if "refused" in answer and answer["refused"]["class"].startswith("UNSUPPORTED"):
                raise Unsupported(f"{answer['refused']['class']}: {answer['refused']['message']}")
            if difference := compared(number, checkpoint, answer, target):
                return difference
        self.tell({"close": {"id": self.opened}})
        return None

    def must_have(self, flow: Row, checkpoints: list[Row]) -> None:
        needed = {name for name, value in flow.items() if value not in (None, [], False)} - PLAIN
        needed |= {name for checkpoint in checkpoints for name in checkpoint.keys() - CHECKPOINT}
        if lacking := needed - set(self.says["clauses"]):
            raise Unsupported(", ".join(sorted(lacking)))
        if (kind := flow.get("stored_as_scd_type") or 1) not in [
            *self.says["scd_types"],
            *map(str, self.says["scd_types"]),
        ]:
            raise Unsupported(f"SCD type {kind}")


def columns(types: dict[str, str]) -> list[Row]:
    return [{"name": name, "type": kind} for name, kind in types.items()]


def compared(number: int, checkpoint: Row, answer: Row, target: dict[str, str]) -> Difference | None:
    refusal = answer.get("refused", {}).get("class")
    if "expect_error" in checkpoint or refusal:
        return None if refusal == checkpoint.get("expect_error") else Difference(number, [], [], refusal or "accepted")
    got = Counter(canonical(row, target) for row in answer["rows"]["rows"])
    tables = checkpoint.get("expect_any") or [checkpoint[name] for name in ("expect",) if name in checkpoint]
    wanted = [Counter(canonical(row, target) for row in rows(table, target)) for table in tables]
    if not wanted or got in wanted:
        return None
    return Difference(number, in_order(wanted[0] - got), in_order(got - wanted[0]))


def in_order(rows: Counter[tuple]) -> list[Row]:
    return sorted(map(dict, rows.elements()), key=str)


def canonical(row: Row, target: dict[str, str]) -> tuple:
    assert row.keys() == target.keys(), f"{list(row)} instead of {list(target)}"
    return tuple((name, comparable(row[name], kind)) for name, kind in target.items())


def comparable(value: Any, kind: str) -> Any:
    if value is None:
        return None
    if isinstance(value, dict):
        return tuple(value.items())
    name = re.match(r"\w+", kind)[0].upper()
    if name in ("DECIMAL", "DOUBLE", "FLOAT"):
        return str(value) if str(value) in ("NaN", "Infinity", "-Infinity") else Decimal(str(value)) + 0
    assert not isinstance(value, bool) or name == "BOOLEAN", f"{value} in a column of type {kind}"
    return moment(value) if name.startswith("TIMESTAMP") else value


def fixtures(suite: str = "") -> list[Path]:
    """The fixtures in a folder below `fixtures/` whose rows stand in them."""
    return sorted(path for path in (FIXTURES / suite).rglob("*.json") if path.name != "suite.json")


def name_of(path: Path) -> str:
    """The suite and the name: `rules/ties/scd1_exact_duplicates`."""
    return path.relative_to(FIXTURES).with_suffix("").as_posix()


def read(path: Path) -> Row:
    """A fixture with its schema and flow, and the columns of its target."""
    fixture = json.loads(path.read_text("utf-8"))
    suites = (folder / "suite.json" for folder in path.parents)
    suite = json.loads(next(suite for suite in suites if suite.exists()).read_text("utf-8"))
    if "flows" in fixture or ("flows" in suite and "flow" not in fixture):
        raise Unsupported("flows")
    schema, flow = fixture.get("schema") or suite.get("schema"), fixture.get("flow") or suite.get("flow")
    if isinstance(flow, str) or "definition" in flow:
        raise Unsupported("a deployed flow")
    if "from_snapshot" in flow:
        raise Unsupported("from_snapshot")
    selects, excludes = (
        {name.lower() for name in flow.get(clause) or []} for clause in ("column_list", "except_column_list")
    )
    target = {
        name: kind
        for name, kind in schema.items()
        if name.lower() not in excludes and (not selects or name.lower() in selects)
    }
    if str(flow.get("stored_as_scd_type")) == "2":
        target |= dict.fromkeys(("__START_AT", "__END_AT"), sequence_type(flow["sequence_by"], schema))
    return {**fixture, "name": f"{path.parent.name}/{path.stem}", "schema": schema, "flow": flow, "target": target}


def sequence_type(sequence_by: str, schema: dict[str, str]) -> str:
    types = {name.lower(): kind for name, kind in schema.items()}
    names = re.findall(r"\w+", re.sub(r"^struct", "", sequence_by))
    if len(names) == 1 and "(" not in sequence_by:
        return types[names[0].lower()]
    return f"STRUCT<{', '.join(f'{name}: {types[name.lower()]}' for name in names)}>"


def rows(table: Any, columns: dict[str, str]) -> list[Row]:
    """Rows as objects, or as columns and rows; a name as the schema spells it."""
    if isinstance(table, str):
        raise Unsupported("a CSV file")
    if isinstance(table, dict):
        table = [dict(zip(table["columns"], row)) for row in table["rows"]]
    spelled = {name.lower(): name for name in columns}
    return [{spelled[name.lower()]: value for name, value in row.items()} for row in table]
