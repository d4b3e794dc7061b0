"""Reads the fixtures of killmatrix, so that one file feeds the model and a test of your own.

Copy this file beside your tests: Python 3.9 or newer, the standard library only. What is wrong with
a fixture `cdc-killmatrix run` says; here files are trusted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, Optional

Row = dict[str, Any]
Schema = dict[str, str]


def fixtures_in(folder: Path) -> list[Path]:
    """The fixtures in a folder and below it."""
    return sorted(
        path for path in folder.rglob("*.json") if '"checkpoints"' in path.read_text("utf-8")
    )


def checkpoints(fixture: Path) -> Iterator[tuple[list[Row], Optional[list[Row]]]]:
    """Of each checkpoint the events, and all rows that the table must then show.

    Events have every column of the schema, None where the fixture leaves it out. The rows are None
    where nothing is to be compared: `expect` is "TODO" or isn't there.
    """
    read, schema = _read(fixture), schema_of(fixture)
    for number, checkpoint in enumerate(read["checkpoints"], 1):
        unknown = checkpoint.keys() - {"append", "expect", "note", "observed"}
        if unknown:  # `expect_error`, `snapshot` and the like say what such a test must do itself.
            raise ValueError(
                f"{fixture}: checkpoint {number}: this reads no {', '.join(sorted(unknown))}"
            )
        events = _rows(fixture, checkpoint.get("append", []), schema)
        expect = checkpoint.get("expect", "TODO")
        expected = None if expect == "TODO" else _rows(fixture, expect, schema)
        yield [{**dict.fromkeys(schema), **event} for event in events], expected


def schema_of(fixture: Path) -> Schema:
    """The columns of the source and their types: the fixture's own, or those of its suite."""
    suites = (folder / "suite.json" for folder in fixture.resolve().parents)
    own = _read(fixture).get("schema")
    return own or _read(next(suite for suite in suites if suite.exists()))["schema"]


def _read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8-sig"), parse_float=Decimal)


def _rows(fixture: Path, rows: Any, schema: Schema) -> list[Row]:
    """Rows as objects, as columns and rows, or as the name of a CSV beside the fixture."""
    if isinstance(rows, str):
        columns, *rows = _csv(fixture.parent / rows)
    elif isinstance(rows, dict):
        columns, rows = rows["columns"], rows["rows"]
    else:
        return [dict(_typed(*cell, schema) for cell in row.items()) for row in rows]
    return [dict(_typed(*cell, schema) for cell in zip(columns, row)) for row in rows]


def _typed(name: str, value: Any, schema: Schema) -> tuple[str, Any]:
    """A column as the schema spells it, and its value in Python."""
    name = next((column for column in schema if column.lower() == name.strip().lower()), name)
    kind = re.match(r"\w*", schema.get(name, "").strip().upper())[0]
    if value is None or (value == "" and kind not in ("STRING", "BINARY")):
        return name, None
    return name, _TYPES[kind](value) if kind in _TYPES else value


_TYPES = {
    "BOOLEAN": lambda value: str(value).lower() == "true",
    **dict.fromkeys(
        ["TINYINT", "BYTE", "SMALLINT", "SHORT", "INT", "INTEGER", "BIGINT", "LONG"], int
    ),
    **dict.fromkeys(["FLOAT", "REAL", "DOUBLE"], float),
    **dict.fromkeys(["DECIMAL", "DEC", "NUMERIC"], Decimal),
}


def _csv(path: Path) -> list[list[Optional[str]]]:
    """The records of a CSV. An empty field is None, a quoted one text: `csv` can't tell them."""
    records: list[list[Optional[str]]] = [[]]
    text = path.read_bytes().decode("utf-8-sig")
    for field in re.finditer(r'(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|\Z)', text):
        quoted, plain, end = field.groups()
        records[-1].append((plain or None) if quoted is None else quoted.replace('""', '"'))
        if end != ",":
            records.append([])
    return [record for record in records if record not in ([], [None])]
