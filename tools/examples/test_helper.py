"""The helper of examples/pytest on what its own fixtures don't have."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from killmatrix_fixture import checkpoints, fixtures_in, schema_of

TYPES = {
    "id": "BIGINT",
    "name": "STRING",
    "credit": "decimal(10, 2)",
    "ratio": "DOUBLE",
    "active": "BOOLEAN",
    "since": "DATE",
}


def write(folder: Path, **checkpoint: Any) -> Path:
    fixture = folder / "fixture.json"
    fixture.write_text(json.dumps({"schema": TYPES, "checkpoints": [checkpoint]}), "utf-8")
    return fixture


def test_a_csv_is_read_as_the_command_reads_it(tmp_path: Path) -> None:
    text = (
        "\ufeffid,NAME,credit,ratio,active,since\r\n"
        '9007199254740993,"a ""b"", c\r\nd",1.10,0.5,TRUE,2026-08-30\r\n'
        '\r\n7,"",,,,\r\n8,,"2",NaN,false,\r\n'
    )
    (tmp_path / "events.csv").write_bytes(text.encode())
    ((events, expected),) = checkpoints(write(tmp_path, append="events.csv", expect="TODO"))
    assert expected is None
    first, second, third = (tuple(event.values()) for event in events)
    long = 9007199254740993
    assert first == (long, 'a "b", c\r\nd', Decimal("1.10"), 0.5, True, "2026-08-30")
    assert second == (7, "", None, None, None, None)
    assert (
        third[:3] == (8, None, Decimal(2)) and math.isnan(third[3]) and third[4:] == (False, None)
    )
    assert all(list(event) == list(TYPES) for event in events)


def test_a_csv_without_a_last_line_end_may_expect_rows(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text('id,name\n1,"x"\n2,', "utf-8")
    ((_, expected),) = checkpoints(write(tmp_path, append=[], expect="rows.csv"))
    assert expected == [{"id": 1, "name": "x"}, {"id": 2, "name": None}]


def test_numbers_are_exact_and_names_match_without_case(tmp_path: Path) -> None:
    row = {"ID": 9223372036854775807, "credit": "0.10", "ratio": 1, "active": False}
    ((events, expected),) = checkpoints(write(tmp_path, append=[row]))
    assert expected is None
    (event,) = events
    assert event["id"] == 9223372036854775807 and list(event) == list(TYPES)
    assert isinstance(event["credit"], Decimal) and isinstance(event["ratio"], float)
    assert event["active"] is False and event["name"] is None


def test_a_number_with_cents_never_is_a_float(tmp_path: Path) -> None:
    fixture = write(tmp_path, append=[])
    text = '{"columns": ["id", "credit"], "rows": [[1, 0.10], [2, 99999999.99]]}'
    fixture.write_text(fixture.read_text("utf-8").replace("[]", text), "utf-8")
    ((events, _),) = checkpoints(fixture)
    assert [str(event["credit"]) for event in events] == ["0.10", "99999999.99"]


@pytest.mark.parametrize("name", ["expect_error", "expect_any", "snapshot", "advance_seconds"])
def test_what_it_cannot_play_is_said(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match=f"checkpoint 1: this reads no {name}"):
        list(checkpoints(write(tmp_path, append=[], **{name: 1})))


def test_the_nearest_suite_gives_the_schema(tmp_path: Path) -> None:
    inner = tmp_path / "suite" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / "suite.json").write_text('{"schema": {"wrong": "INT"}}', "utf-8")
    (tmp_path / "suite" / "suite.json").write_text('{"schema": {"id": "INT"}}', "utf-8")
    fixture = inner / "fixture.json"
    fixture.write_text('{"checkpoints": [{"append": [{}], "expect": []}]}', "utf-8")
    assert schema_of(fixture) == {"id": "INT"}
    assert list(checkpoints(fixture)) == [([{"id": None}], [])]
    assert fixtures_in(tmp_path) == [fixture]
