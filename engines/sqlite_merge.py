"""SQLite as an engine: the upsert that tutorials show (`--naive`), and one that is right.

    cdc-killmatrix run --engine 'python3 engines/sqlite_merge.py'

It is Python's own SQLite, 3.39 or newer.
"""

from __future__ import annotations

import sqlite3
import sys
from decimal import Decimal
from typing import Any

import killmatrix_engine
import killmatrix_values as values
from killmatrix_flow import INTEGERS, Flow
from killmatrix_sql import Applier, Engine, Kind, events_of, listed, newer, newest


def stored_double(value: Any, _: str) -> float | str:
    """NaN as text: for SQLite a NaN is null, and text is greater than every number, as NaN must be."""
    return "NaN" if value == "NaN" else float(value)


def by_value(one: str, other: str) -> int:
    """A decimal is text, which is exact, and is compared by its value."""
    return (Decimal(one) > Decimal(other)) - (Decimal(one) < Decimal(other))


KINDS = {
    "BOOLEAN": Kind("BOOLEAN", lambda value, _: int(value), bool),
    **dict.fromkeys(INTEGERS, Kind("INTEGER")),
    **dict.fromkeys(
        ("FLOAT", "REAL", "DOUBLE"), Kind("REAL", stored_double, lambda value: values.double(float(value)))
    ),
    **dict.fromkeys(
        ("DECIMAL", "DEC", "NUMERIC"), Kind("TEXT COLLATE by_value", lambda *of: f"{values.decimal(*of):f}")
    ),
    "STRING": Kind("TEXT"),
    "BINARY": Kind("BLOB", lambda value, _: values.to_bytes(value), values.from_bytes),
    "DATE": Kind("TEXT"),
    "TIMESTAMP": Kind("TEXT", lambda value, _: values.plain(value), lambda value: values.shown_moment(value, "Z")),
    "TIMESTAMP_NTZ": Kind("TEXT", lambda value, _: values.plain(value), lambda value: values.shown_moment(value, "")),
}


class SQLite(Engine):
    name, version, kinds, errors = "SQLite", sqlite3.sqlite_version, KINDS, sqlite3.Error

    def connect(self) -> sqlite3.Connection:
        database = sqlite3.connect(":memory:", isolation_level=None)
        database.create_collation("by_value", by_value)
        return database

    def naive(self, flow: Flow, columns: str) -> Applier:
        """Upserts in the order of arrival, then deletes by key: as pages on `ON CONFLICT .. DO UPDATE` and on loading
        changes have it, one statement for what is new or changed, and one for what is gone. Nothing looks at the
        sequence, and a deleted row leaves nothing behind."""
        written = [name for name in [*flow.schema, "__place"] if name not in flow.keys]
        return Applier(
            create=[f"CREATE TABLE target ({columns}, UNIQUE ({listed(flow.keys)}))"],
            apply=[
                f"""INSERT INTO target SELECT {listed([*flow.schema, "__place"])} FROM ({events_of(flow)})
                WHERE NOT __is_delete ORDER BY __place
                ON CONFLICT ({listed(flow.keys)}) DO UPDATE SET {listed(written, "{0} = excluded.{0}")}""",
                f"""DELETE FROM target WHERE ({listed(flow.keys)}) IN
                (SELECT {listed(flow.keys)} FROM ({events_of(flow)}) WHERE __is_delete)""",
            ],
            show=f"SELECT {listed(flow.target)} FROM target",
        )

    def current(self, flow: Flow, columns: str) -> Applier:
        """The newest event of each key, if it is newer than what is known. A delete stays, and isn't shown."""
        written = [*(name for name in flow.schema if name not in flow.keys), "__is_delete"]
        return Applier(
            create=[
                f"CREATE TABLE known ({columns}, __is_delete BOOLEAN, PRIMARY KEY ({listed(flow.keys)}))",
            ],
            apply=[
                f"""INSERT INTO known ({listed([*flow.schema, "__is_delete"])}) {newest(flow)}
                ON CONFLICT ({listed(flow.keys)}) DO UPDATE SET {listed(written, "{0} = excluded.{0}")}
                WHERE {newer(flow, "excluded", "known")}"""
            ],
            show=f"SELECT {listed(flow.target)} FROM known WHERE NOT __is_delete",
        )


if __name__ == "__main__":
    if sqlite3.sqlite_version_info < (3, 39):  # IS NOT DISTINCT FROM
        sys.exit(f"sqlite_merge.py needs SQLite 3.39 or newer; this Python has {sqlite3.sqlite_version}")
    killmatrix_engine.serve(SQLite(is_naive="--naive" in sys.argv[1:]))
