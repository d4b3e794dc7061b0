"""Pools: fixtures of one flow that share a target, kept apart by a key column of our own.

An update costs seconds whatever is in it, so fixtures whose flow, source and target are the same
are put in one source and one target. `__fixture` is a key beside those of the flow: AUTO CDC never
looks beyond the rows of one key, so no fixture sees another's.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import IntegerType, StructField, StructType

from reasons import Reason, Refused, reason
from values import decode, encode, listed, quoted

Row = dict[str, Any]

TECHNICAL_KEY = "__fixture"
# What Spark puts in front of the tables and columns in which AUTO CDC remembers.
HIDDEN = "__spark_autocdc_"

COLUMN_LISTS = [
    "column_list",
    "except_column_list",
    "track_history_column_list",
    "track_history_except_column_list",
]
CLAUSES = ["apply_as_deletes", *COLUMN_LISTS]


def parameters(flow: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `create_auto_cdc_flow`."""
    given = {name: it for name, it in flow.items() if it not in (None, []) and it is not False}
    known = {"keys", "sequence_by", "stored_as_scd_type", "dialect", *CLAUSES}
    if missing := sorted(given.keys() - known):
        raise Refused("UNSUPPORTED", f"Apache Spark has no {', '.join(missing)}")
    scd_type = str(given.get("stored_as_scd_type", 1))
    if scd_type not in ("1", "2"):
        raise Refused("UNSUPPORTED", f"Apache Spark has no stored_as_scd_type {scd_type}")
    arguments: dict[str, Any] = {"stored_as_scd_type": int(scd_type)}
    for name in ["keys", *COLUMN_LISTS]:
        if name in given:
            arguments[name] = [quoted(column) for column in given[name]]
    arguments["keys"] += [TECHNICAL_KEY]
    if "column_list" in arguments:
        arguments["column_list"] += [TECHNICAL_KEY]
    sequence = given["sequence_by"]
    arguments["sequence_by"] = sequence if "(" in sequence else quoted(sequence.strip("`"))
    if "apply_as_deletes" in given:
        arguments["apply_as_deletes"] = given["apply_as_deletes"]
    return arguments


class Pool:
    """A source, a flow and a target, for all fixtures that have the same."""

    def __init__(self, name: str, opened: dict[str, Any], folder: Path, catalog: str) -> None:
        self.name = name
        self.members: set[int] = set()
        # Whether an update of it has passed, so that its tables exist.
        self.is_made = False
        # Why nothing of it is carried out, whatever its rows.
        self.refusal: Reason | None = None
        self.flow = opened["flow"]
        self.target = {it["name"].lower(): it["name"] for it in opened.get("target") or []}
        self.folder = folder / "source" / name
        # Where the stream of a flow writes which microbatches it has begun, and which it has done.
        # `catalog` is the path of its namespace.
        self.stream = folder / "storage" / "_checkpoints" / catalog / name / name / "0"
        self.waits_for = 0
        try:
            self.arguments = parameters(self.flow)
            columns = [f"{quoted(it['name'])} {it['type']}" for it in opened["schema"]]
            schema = StructType.fromDDL(", ".join(columns))
            self.columns = {field.name.lower(): field for field in schema.fields}
            technical = StructField(TECHNICAL_KEY, IntegerType())
            self.source = StructType([*schema.fields, technical])
            self.arrow = to_arrow_schema(self.source, timezone="UTC")
        except Exception as error:
            self.refusal = reason(error)

    def typed(self, key: int, rows: list[Row]) -> list[Row]:
        """The rows of a batch of a fixture as they are written."""
        typed = []
        for row in rows:
            given = {name.lower(): value for name, value in row.items()}
            if unknown := sorted(given.keys() - self.columns.keys()):
                raise Refused("UNKNOWN_COLUMN", f"the source has no {', '.join(unknown)}")
            try:
                values = {
                    it.name: encode(given.get(n), it.dataType) for n, it in self.columns.items()
                }
            except (ArithmeticError, AttributeError, TypeError, ValueError) as error:
                raise Refused("UNKNOWN_VALUE", f"no value of its column: {error}") from error
            typed.append(values | {TECHNICAL_KEY: key})
        try:
            self.table_of(typed)
        except (pa.ArrowException, ArithmeticError, TypeError, ValueError) as error:
            raise Refused("UNKNOWN_VALUE", f"no value of its column: {error}") from error
        return typed

    def table_of(self, rows: list[Row]) -> pa.Table:
        columns = {it.name: pa.array([r[it.name] for r in rows], it.type) for it in self.arrow}
        return pa.table(columns, schema=self.arrow)

    def is_suspect(self, rows: list[Row]) -> bool:
        """Whether a key or a sequence is null: likely what is refused, so it is asked alone."""
        sequence = self.flow["sequence_by"]
        struct = re.fullmatch(r"\s*struct\s*\((.*)\)\s*", sequence, re.I | re.S)
        groups = [[key] for key in self.flow["keys"]] + [listed(struct[1] if struct else sequence)]

        def is_null(row: Row, name: str) -> bool:
            field = self.columns.get(name.lower())
            return field is not None and row[field.name] is None

        return any(all(is_null(row, it) for it in group) for row in rows for group in groups)

    def has_begun(self) -> bool:
        """Whether there ever was a microbatch, so that rows were read."""
        return (self.stream / "offsets").is_dir()

    def next_batch(self) -> int:
        """The number of the microbatch that comes next."""
        commits = self.stream / "commits"
        done = [int(it.name) for it in commits.glob("*") if it.name.isdigit()]
        return max(done, default=-1) + 1

    def has_passed(self) -> bool:
        """Whether the microbatch that was written last is done."""
        return self.waits_for < self.next_batch()

    def write(self, rows: list[Row]) -> None:
        """Writes the next microbatch: a file. One that didn't pass is written anew.

        The stream has written down that this microbatch is of this file, and reads it again.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        self.waits_for = self.next_batch()
        # Names that begin so aren't read: the file appears as a whole.
        hidden = self.folder / "_new"
        parquet.write_table(self.table_of(rows), hidden)
        os.replace(hidden, self.folder / f"{self.waits_for:06}.parquet")

    def rows_of(self, table: pa.Table) -> dict[int, list[Row]]:
        """The rows of the target by the technical key, with the fixture's spelling of columns.

        That SCD type 2 targets have a column of Spark's own isn't shown.
        """
        names = [name for name in table.column_names if not name.lower().startswith(HIDDEN)]
        names.remove(TECHNICAL_KEY)
        rows: dict[int, list[Row]] = {}
        for row in table.to_pylist(maps_as_pydicts=None):
            shown = {self.target.get(name.lower(), name): decode(row[name]) for name in names}
            rows.setdefault(row[TECHNICAL_KEY], []).append(shown)
        return rows
