"""The engines on the fixtures: a right one gives their rows, a naive one is wrong where that was to be expected.

    pip install -r engines/requirements-test.txt
    pytest engines/test_engines.py engines/test_protocol.py

The program isn't needed.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from driver import Difference, Engine, Unsupported, fixtures, name_of

RIGHT = {"SQLite": ("sqlite_merge.py",), "DuckDB": ("duckdb_merge.py",)}
NAIVE = {"SQLite": ("sqlite_merge.py", "--naive"), "DuckDB": ("duckdb_merge.py", "--naive")}

# Suites that a right engine plays to the last fixture.
WHOLE = ["customers_current", "customer_history", "rules/scd1", "rules/scd2", "rules/ties"]

Outcomes = dict[str, Any]
"""By suite and fixture: a difference, the text of what is lacking, or None where all is equal."""


@pytest.fixture(scope="module", params=RIGHT)
def right(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with Engine(*RIGHT[request.param]) as engine:
        yield engine


@pytest.fixture(scope="module")
def outcomes(right: Engine) -> Outcomes:
    return outcomes_of(right)


def outcomes_of(engine: Engine, suite: str = "") -> Outcomes:
    return {name_of(path): outcome(engine, path) for path in fixtures(suite)}


def outcome(engine: Engine, path: Path) -> Difference | str | None:
    try:
        return engine.play(path)
    except Unsupported as lacking:
        return str(lacking)


def differences(outcomes: Outcomes) -> dict[str, Difference]:
    return {name: found for name, found in outcomes.items() if isinstance(found, Difference)}


@pytest.mark.parametrize("suite", WHOLE)
def test_right_engines_play_whole_suites(outcomes: Outcomes, suite: str) -> None:
    played = {name_of(path): outcomes[name_of(path)] for path in fixtures(suite)}
    assert played == dict.fromkeys(played)
    assert len(played) >= 13


def test_right_engines_differ_nowhere(outcomes: Outcomes) -> None:
    assert differences(outcomes) == {}
    # So that many that become unsupported are noticed.
    assert sum(found is None for found in outcomes.values()) >= 216


def test_what_a_right_engine_lacks_is_named(outcomes: Outcomes) -> None:
    assert outcomes["rules/sequences/struct_column_of_nulls"].startswith("UNSUPPORTED_TYPE: ")
    assert outcomes["deployed/users_truncated"] == "a deployed flow"


def test_the_example_differs_nowhere() -> None:
    with Engine("example.py") as engine:
        outcomes = outcomes_of(engine)
    assert differences(outcomes) == {}
    assert sum(found is None for found in outcomes.values()) >= 96
    assert all(outcomes[name_of(path)] is None for path in fixtures("customers_current"))


def customers(**cities: str) -> list[dict[str, Any]]:
    people = {101: "ana", 202: "ben", 303: "cleo"}
    return [
        {"customer_id": key, "city": cities[person], "email": f"{person}@example.com"}
        for key, person in people.items()
        if person in cities
    ]


def values(key: int, v: str, w: str | None = None) -> list[dict[str, Any]]:
    return [{"id": key, "v": v, **({"w": w} if w else {})}]


# What no MERGE by key alone can know: typed from the reason that stands before each, not from a run.
WITHOUT_SEQUENCE = {
    # The late event takes the place of the newer row.
    "customers_current/ordering_and_delete": Difference(3, customers(ana="Nantes"), customers(ana="Lille")),
    "customers_current/sequence_tie": Difference(2, customers(ana="Nantes"), customers(ana="Lille")),
    # Nothing is left of the delete: whatever is older comes back.
    "customers_current/remembered_deletes": Difference(3, [], customers(ana="Nantes", ben="Lille", cleo="Brest")),
    "rules/scd1/delete_of_unknown_key": Difference(2, [], values(1, "a", "x")),
    "rules/scd1/older_delete_after_newer": Difference(3, [], values(1, "b", "y")),
    "rules/scd1/older_upsert_after_delete": Difference(2, [], values(1, "b", "y")),
    "rules/scd1/replayed_lifecycle": Difference(3, [], values(42, "SUSPENDED", "Ankara")),
    # An old delete removes a newer row, or one at its own place.
    "customer_history/delete_not_newer": Difference(2, customers(ana="Paris", ben="Lyon"), []),
    "rules/scd1/older_delete_is_ignored": Difference(2, values(1, "a", "x"), []),
    "rules/ties/scd1_delete_later_batch": Difference(2, values(1, "a"), []),
    # A null equals nothing: the event without a key is inserted.
    "customers_current/null_key": Difference(2, [], [], "accepted"),
}

DIFFERS = {
    # Upserts as they arrive, and then the deletes: inside a batch, too, nothing is in order.
    "SQLite": {
        **WITHOUT_SEQUENCE,
        "customers_current/one_batch_any_order": Difference(
            1, customers(ana="Nantes", cleo="Brest"), customers(ana="Paris")
        ),
        "customers_current/same_position": Difference(1, customers(ben="Lyon"), []),
        "customer_history/users_scd1": Difference(
            1,
            [{"userId": 125, "name": "Mercedes", "city": "Guadalajara"}],
            [{"userId": 125, "name": "Mercedes", "city": "Mexicali"}],
        ),
        "rules/scd1/older_upsert_is_ignored": Difference(1, values(1, "b", "y"), values(1, "a", "x")),
        "rules/ties/scd1_delete_same_batch": Difference(1, values(2, "b"), []),
    },
    # The batch is in order: only what came before is wrong.
    "DuckDB": {
        **WITHOUT_SEQUENCE,
        "customers_current/same_position": Difference(2, customers(ben="Lyon"), []),
        "rules/scd1/older_upsert_is_ignored": Difference(2, values(1, "b", "y"), values(1, "c", "z")),
    },
}


@pytest.mark.parametrize("name", NAIVE)
def test_naive_engines_differ_where_order_matters_and_nowhere_else(name: str) -> None:
    with Engine(*NAIVE[name]) as engine:
        found = {name: one for suite in WHOLE for name, one in differences(outcomes_of(engine, suite)).items()}
    assert found == DIFFERS[name]


# Of each type the value as a fixture may write it, and as the engine must give it back.
TYPES = {
    "BOOLEAN": [(True, True), (False, False), (None, None)],
    "INT": [(-(2**31), -(2**31))],
    "BIGINT": [(2**63 - 1, 2**63 - 1), (-(2**63), -(2**63)), (2**53 + 1, 2**53 + 1)],
    "DECIMAL(38,2)": [
        ("123456789012345678901234567890123456.78", "123456789012345678901234567890123456.78"),
        (7, "7.00"),
    ],
    "DOUBLE": [(0.1, 0.1), ("NaN", "NaN"), ("Infinity", "Infinity"), ("-Infinity", "-Infinity"), (1e300, 1e300)],
    "STRING": [("", ""), ("é\u0000'\"", "é\u0000'\"")],
    "BINARY": [("", ""), (base64.b64encode(b"\x00\xff").decode(), "AP8=")],
    "DATE": [("2026-08-30", "2026-08-30"), ("0001-01-01", "0001-01-01")],
    "TIMESTAMP": [
        ("2026-08-30 10:00", "2026-08-30T10:00:00Z"),
        ("2026-08-30T10:00:00.000001+02:00", "2026-08-30T08:00:00.000001Z"),
        ("2026-08-30T10:00:00.5Z", "2026-08-30T10:00:00.5Z"),
    ],
    "TIMESTAMP_NTZ": [("2026-08-30 10:00", "2026-08-30T10:00:00")],
}


@pytest.mark.parametrize("kind", TYPES)
def test_values_come_back_as_they_went_in(right: Engine, kind: str) -> None:
    columns = [{"name": "id", "type": "INT"}, {"name": "value", "type": kind}]
    for scd_type in (1, 2):
        right.opened += 1
        place = {"id": right.opened, "checkpoint": 1}
        bounds = [{"name": name, "type": "INT"} for name in ("__START_AT", "__END_AT") if scd_type == 2]
        flow = {"keys": ["id"], "sequence_by": "id", "stored_as_scd_type": scd_type}
        right.tell(
            {"open": {"id": right.opened, "fixture": kind, "schema": columns, "flow": flow, "target": columns + bounds}}
        )
        rows = [{"id": number, "value": given} for number, (given, _) in enumerate(TYPES[kind])]
        answer = right.ask({"batch": {**place, "rows": rows}})["rows"]["rows"]
        got = {row["id"]: row["value"] for row in answer}
        if kind == "DOUBLE":
            got = {number: value if isinstance(value, str) else float(value) for number, value in got.items()}
        assert got == {number: back for number, (_, back) in enumerate(TYPES[kind])}


def test_a_null_field_of_the_sequence_comes_first_also_in_a_later_batch(right: Engine) -> None:
    schema = [{"name": name, "type": "INT"} for name in ("id", "v", "lsn", "pos")]
    right.opened += 1
    flow = {"keys": ["id"], "sequence_by": "struct(lsn, pos)", "column_list": ["id", "v"]}
    right.tell({"open": {"id": right.opened, "fixture": "nulls", "schema": schema, "flow": flow, "target": schema[:2]}})
    earlier = [{"id": 1, "v": 10, "lsn": 5, "pos": 0}, {"id": 2, "v": 10, "lsn": 5}]
    later = [{"id": 1, "v": 20, "lsn": 5}, {"id": 2, "v": 20, "lsn": 5, "pos": 0}]
    for number, rows in enumerate([earlier, later], 1):
        answer = right.ask({"batch": {"id": right.opened, "checkpoint": number, "rows": rows}})
    assert {row["id"]: row["v"] for row in answer["rows"]["rows"]} == {1: 10, 2: 20}


def test_a_refused_full_refresh_has_emptied_the_table(right: Engine) -> None:
    schema = [{"name": name, "type": "INT"} for name in ("id", "lsn")]
    right.opened += 1
    flow = {"keys": ["id"], "sequence_by": "lsn"}
    right.tell({"open": {"id": right.opened, "fixture": "refresh", "schema": schema, "flow": flow, "target": schema}})
    batches = [{"rows": [{"id": 1, "lsn": 1}]}, {"full_refresh": True, "rows": [{"id": 2}]}, {"rows": []}]
    answers = [
        right.ask({"batch": {"id": right.opened, "checkpoint": number, **batch}})
        for number, batch in enumerate(batches, 1)
    ]
    assert [next(iter(answer)) for answer in answers] == ["rows", "refused", "rows"]
    assert answers[2]["rows"]["rows"] == []


CONDITIONS = {  # as Spark takes them: true of which of the operations I, D, null
    "op = 'D'": [False, True, False],
    "`op` == 'D'": [False, True, False],
    "op <> 'D'": [True, False, False],
    "NOT (op = 'D') and op IS NOT NULL": [True, False, False],
    "op IN ('D', 'X') OR op is null": [False, True, True],
    "n >= 1 AND OP not in ('I')": [False, True, False],
    "true": [True, True, True],
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_conditions_mean_what_they_mean_in_spark(right: Engine, condition: str) -> None:
    answer = deleted(right, condition)
    assert [number not in {row["id"] for row in answer["rows"]["rows"]} for number in range(3)] == CONDITIONS[condition]


@pytest.mark.parametrize(
    "condition",
    [
        "upper(op) = 'D'",
        "op = 1",
        "n = '1'",
        'op = "D"',
        "op LIKE 'D'",
        "op = 'D",
        "op = '\\x44'",
        "op; DROP TABLE batch",
    ],
)
def test_conditions_that_are_not_the_same_everywhere_are_refused(right: Engine, condition: str) -> None:
    assert deleted(right, condition)["refused"]["class"].startswith("UNSUPPORTED")


def deleted(engine: Engine, condition: str) -> dict[str, Any]:
    schema = [{"name": "id", "type": "INT"}, {"name": "op", "type": "STRING"}, {"name": "n", "type": "INT"}]
    engine.opened += 1
    flow = {"keys": ["id"], "sequence_by": "id", "apply_as_deletes": condition}
    engine.tell(
        {"open": {"id": engine.opened, "fixture": "conditions", "schema": schema, "flow": flow, "target": schema}}
    )
    rows = [{"id": number, "op": op, "n": 1} for number, op in enumerate(["I", "D", None])]
    return engine.ask({"batch": {"id": engine.opened, "checkpoint": 1, "rows": rows}})
