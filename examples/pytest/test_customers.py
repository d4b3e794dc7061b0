"""A MERGE of one's own, held against the fixtures. SQLite stands in for the warehouse."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from killmatrix_fixture import Row, checkpoints, fixtures_in

Pipeline = Callable[[sqlite3.Connection, list[Row]], None]

FIXTURES = {
    path.stem: path for path in fixtures_in(Path(__file__).parent / "fixtures" / "customers")
}

CUSTOMERS = """
    CREATE TABLE stored (
        customer_id INTEGER PRIMARY KEY, city TEXT, credit TEXT, is_deleted INTEGER, lsn INTEGER
    );
    CREATE VIEW customers AS SELECT customer_id, city, credit FROM stored WHERE NOT is_deleted;
"""

# A deleted customer stays stored, as a tombstone with its lsn; what isn't newer changes nothing.
MERGE = """
    INSERT INTO stored VALUES (:customer_id, :city, :credit, :operation IS 'DELETE', :lsn)
    ON CONFLICT (customer_id) DO UPDATE
    SET city = excluded.city, credit = excluded.credit,
        is_deleted = excluded.is_deleted, lsn = excluded.lsn
    WHERE excluded.lsn > stored.lsn
"""

# What is often written: each event is taken as it arrives, and a delete leaves nothing behind.
NAIVE_UPSERT = "INSERT OR REPLACE INTO stored VALUES (:customer_id, :city, :credit, false, :lsn)"
NAIVE_DELETE = "DELETE FROM stored WHERE customer_id = :customer_id"


def merge(database: sqlite3.Connection, events: list[Row]) -> None:
    database.executemany(MERGE, map(stored, events))


def naive(database: sqlite3.Connection, events: list[Row]) -> None:
    for event in events:
        database.execute(
            NAIVE_DELETE if event["operation"] == "DELETE" else NAIVE_UPSERT, stored(event)
        )


def stored(event: Row) -> Row:
    """SQLite has no decimals: they are kept as text, which is exact."""
    return {**event, "credit": None if event["credit"] is None else str(event["credit"])}


def first_difference(pipeline: Pipeline, fixture: Path) -> tuple | None:
    """After which checkpoint the table is wrong first, the missing rows, and those too many."""
    database = sqlite3.connect(":memory:")
    database.executescript(CUSTOMERS)
    for number, (events, expected) in enumerate(checkpoints(fixture), 1):
        pipeline(database, events)
        table = database.execute("SELECT customer_id, city, credit FROM customers ORDER BY 1")
        rows = Counter((key, city, credit and Decimal(credit)) for key, city, credit in table)
        if expected is not None:
            right = Counter((row["customer_id"], row["city"], row["credit"]) for row in expected)
            if rows != right:
                return number, list((right - rows).elements()), list((rows - right).elements())
    return None


@pytest.mark.parametrize("name", FIXTURES)
def test_merge_is_right(name: str) -> None:
    assert first_difference(merge, FIXTURES[name]) is None


# Checkpoint, missing rows, rows too many: typed by hand, as the fixtures are.
NAIVE = {
    "late_events": (3, [(101, "Nantes", Decimal("50.00"))], [(101, "Brest", Decimal("75.00"))]),
    "one_batch": (
        1,
        [(101, "Nantes", Decimal("50.00")), (303, "Metz", Decimal("12.50"))],
        [(101, "Paris", Decimal("50.00")), (202, "Lyon", Decimal("0.10"))],
    ),
    "remembered_deletes": (
        3,
        [],
        [(101, "Nantes", Decimal("50.00")), (303, "Metz", Decimal("12.50"))],
    ),
    "values_as_sent": None,
}


@pytest.mark.parametrize("name", NAIVE)
def test_naive_upsert_is_wrong_where_order_matters(name: str) -> None:
    assert first_difference(naive, FIXTURES[name]) == NAIVE[name]
