"""The kit's SQL: all that it says to a warehouse. Names are in backticks, values are parameters."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

# The property of a table that says which run made it.
MADE_BY = "killmatrix.made_by"

Json = dict[str, Any]


def quoted(name: str) -> str:
    """A name as SQL reads it, whatever stands in it."""
    return "`" + name.replace("`", "``") + "`"


def literal(text: str) -> str:
    """A text as SQL reads it, whatever stands in it."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def json_text(value: Any) -> str:
    """JSON of what `json.loads` gave: the digits of numbers stay as they were."""
    match value:
        case Decimal():
            return str(value)
        case dict():
            return "{" + ", ".join(f"{json.dumps(k)}: {json_text(it)}" for k, it in value.items()) + "}"
        case list():
            return "[" + ", ".join(json_text(it) for it in value) + "]"
        case _:
            return json.dumps(value)


def text_of(value: Any, form: str) -> str | None:
    """The text that SQL makes a value of, by the form of its column."""
    if value is None:
        return None
    match form:
        case "json":
            return json_text(value)
        case "pairs":
            return json_text([{"key": key, "value": it} for key, it in value])
        case _:
            return json_text(value) if isinstance(value, bool) else str(value)


def value_of(column: Json, place: int) -> str:
    """What makes a value of a column of the text at a place of `r`."""
    text = f"r[{place}]"
    read = f"from_json({text}, {literal(column['read_as'])}, map('mode', 'FAILFAST'))"
    match column["form"]:
        case "base64":
            return f"unbase64({text})"
        case "json":
            return read
        case "pairs":
            return f"map_from_entries({read})"
        case _:
            return f"CAST({text} AS {column['read_as']})"


class Tables:
    """The statements about the tables of a play. Values are parameters, never text of a statement."""

    def __init__(self, plan: Json, play: Json) -> None:
        self.columns: list[Json] = play["columns"]
        self.source = self.path(plan, play["source_table"])
        self.target = self.path(plan, play["target_table"])

    @staticmethod
    def path(plan: Json, table: str) -> str:
        return ".".join(quoted(part) for part in (plan["catalog"], plan["schema"], table))

    def create(self, token: str) -> str:
        columns = ", ".join(f"{quoted(it['name'])} {it['type']}" for it in self.columns)
        properties = f"{literal(MADE_BY)} = {literal(token)}"
        return f"CREATE TABLE {self.source} ({columns}) TBLPROPERTIES ({properties})"

    def append(self) -> str:
        names = ", ".join(quoted(it["name"]) for it in self.columns)
        values = ", ".join(value_of(it, place) for place, it in enumerate(self.columns))
        rows = "from_json(:rows, 'ARRAY<ARRAY<STRING>>', map('mode', 'FAILFAST'))"
        return f"INSERT INTO {self.source} ({names}) SELECT {values} FROM (SELECT explode({rows}) AS r)"

    def rows(self, append: list[Json]) -> str:
        """The parameter of `append`."""
        return json.dumps([[text_of(row.get(it["name"]), it["form"]) for it in self.columns] for row in append])
