"""Fixtures of killmatrix as unit tests of dbt, and back. Needs killmatrix_fixture.py beside it.

python dbt_rows.py to-dbt MODEL INPUT FIXTURE...    prints a file for models/
python dbt_rows.py from-dbt FILE TEST               prints a checkpoint; dbt brings PyYAML
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from killmatrix_fixture import Row, checkpoints


def to_dbt(model: str, given: str, fixtures: list[Path]) -> str:
    """A unit test for each checkpoint: all events so far, the rows to expect. JSON is YAML, too."""
    lines = ["unit_tests:"]
    for fixture in fixtures:
        feed: list[Row] = []
        for number, (events, expected) in enumerate(checkpoints(fixture), 1):
            feed += events
            if expected is not None:
                lines += [f"  - name: {fixture.stem}_{number}", f"    model: {model}"]
                lines += ["    given:", f"      - input: {given}", *_rows(feed, 8)]
                lines += ["    expect:", *_rows(expected, 6)]
    return "\n".join(lines)


def _rows(rows: list[Row], indent: int) -> list[str]:
    """Decimals as text, which is exact."""
    blank = " " * indent
    texts = (json.dumps(row, ensure_ascii=False, default=str) for row in rows)
    return (
        [f"{blank}rows:", *(f"{blank}  - {row}" for row in texts)] if rows else [f"{blank}rows: []"]
    )


def from_dbt(file: Path, test: str) -> str:
    """The rows of a unit test with one input as a checkpoint of a fixture, as columns and rows."""
    import yaml

    tests = yaml.safe_load(file.read_text("utf-8"))["unit_tests"]
    found = next(each for each in tests if each["name"] == test)
    parts = {"append": found["given"][0]["rows"], "expect": found["expect"]["rows"]}
    lists = (f'  "{name}": {_columns_and_rows(rows)}' for name, rows in parts.items())
    return "{\n" + ",\n".join(lists) + "\n}"


def _columns_and_rows(rows: Any) -> str:
    """A column that one row leaves out is null there, as it is in dbt."""
    if isinstance(rows, str):
        sys.exit("rows of `format: csv`: save them beside the fixture, and name the file instead")
    if not rows:
        return "[]"
    columns = list(dict.fromkeys(column for row in rows for column in row))
    texts = (json.dumps([row.get(column) for column in columns], default=str) for row in rows)
    listed = ",\n      ".join(texts)
    return f'{{\n    "columns": {json.dumps(columns)},\n    "rows": [\n      {listed}\n    ]\n  }}'


if __name__ == "__main__":
    command, *arguments = sys.argv[1:] or [""]
    if command == "to-dbt" and len(arguments) > 2:
        paths = (Path(path) for path in arguments[2:])
        print(
            to_dbt(
                arguments[0], arguments[1], [path for path in paths if path.name != "suite.json"]
            )
        )
    elif command == "from-dbt" and len(arguments) == 2:
        print(from_dbt(Path(arguments[0]), arguments[1]))
    else:
        sys.exit(__doc__)
