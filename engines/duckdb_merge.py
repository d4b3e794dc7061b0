"""DuckDB as an engine: the MERGE that tutorials show (`--naive`), and one that is right.

    pip install -r engines/requirements.txt
    cdc-killmatrix run --engine 'python3 engines/duckdb_merge.py'

MERGE needs DuckDB 1.4 or newer.
"""

from __future__ import annotations

import sys
from typing import Any

try:
    import duckdb
except ImportError:
    sys.exit("duckdb_merge.py needs the package duckdb: pip install -r engines/requirements.txt")

import killmatrix_engine
import killmatrix_values as values
from killmatrix_flow import INTEGERS, Flow, quoted
from killmatrix_sql import Applier, Engine, Kind, listed, newer, newest


def as_text(value: Any, _: str) -> str:
    """What the database casts to the type of the column."""
    return str(value)


def moment(zone: str) -> Kind:
    return Kind(
        "TIMESTAMP",
        lambda value, _: values.plain(value),
        lambda value: values.shown_moment(value.isoformat(timespec="microseconds"), zone),
    )


KINDS = {
    "BOOLEAN": Kind("BOOLEAN", as_text),
    **dict.fromkeys(INTEGERS, Kind("BIGINT", as_text)),
    **dict.fromkeys(("FLOAT", "REAL"), Kind("FLOAT", as_text, values.double)),
    "DOUBLE": Kind("DOUBLE", as_text, values.double),
    **dict.fromkeys(("DECIMAL", "DEC", "NUMERIC"), Kind("DECIMAL(p,s)", as_text, lambda value: f"{value:f}")),
    "STRING": Kind("VARCHAR"),
    "BINARY": Kind("BLOB", lambda value, _: values.to_bytes(value), values.from_bytes),
    "DATE": Kind("DATE", as_text, str),
    "TIMESTAMP": moment("Z"),
    "TIMESTAMP_NTZ": moment(""),
}


class DuckDB(Engine):
    name, version, kinds, errors, casts = "DuckDB", duckdb.__version__, KINDS, duckdb.Error, True

    def connect(self) -> duckdb.DuckDBPyConnection:
        return duckdb.connect(":memory:", config={"threads": 1})

    def naive(self, flow: Flow, columns: str) -> Applier:
        """The MERGE of the pages on change data capture: the latest row of each key in the batch by ROW_NUMBER(), a
        delete where the operation says so, else an update, else an insert of what isn't a delete. Only the batch is
        put in order, not what came before it, and a deleted row leaves nothing behind."""
        others = [name for name in flow.schema if name not in flow.keys]
        return Applier(
            create=[f"CREATE TABLE target ({columns})"],
            apply=[
                f"""MERGE INTO target AS t USING ({newest(flow)}) AS s ON {on(flow)}
                WHEN MATCHED AND s.__is_delete THEN DELETE
                WHEN MATCHED THEN UPDATE SET {listed(others, "{0} = s.{0}")}
                WHEN NOT MATCHED AND NOT s.__is_delete THEN {insert(list(flow.schema))}"""
            ],
            show=f"SELECT {listed(flow.target)} FROM target",
        )

    def current(self, flow: Flow, columns: str) -> Applier:
        """The newest event of each key, if it is newer than what is known. A delete stays, and isn't shown."""
        written = [*(name for name in flow.schema if name not in flow.keys), "__is_delete"]
        return Applier(
            create=[f"CREATE TABLE known ({columns}, __is_delete BOOLEAN)"],
            apply=[
                f"""MERGE INTO known AS t USING ({newest(flow)}) AS s ON {on(flow)}
                WHEN MATCHED AND {newer(flow, "s", "t")} THEN UPDATE SET {listed(written, "{0} = s.{0}")}
                WHEN NOT MATCHED THEN {insert([*flow.schema, "__is_delete"])}"""
            ],
            show=f"SELECT {listed(flow.target)} FROM known WHERE NOT __is_delete",
        )


def on(flow: Flow) -> str:
    return " AND ".join(f"t.{key} = s.{key}" for key in map(quoted, flow.keys))


def insert(names: list[str]) -> str:
    return f"INSERT ({listed(names)}) VALUES ({listed(names, 's.{}')})"


if __name__ == "__main__":
    killmatrix_engine.serve(DuckDB(is_naive="--naive" in sys.argv[1:]))
