"""Reads a flow as the protocol gives it: what an engine in SQL needs of it, by the names of the schema.

What of Spark's SQL isn't the same everywhere is refused: a fixture is then unsupported, and never judged wrongly.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from killmatrix_engine import Message, Refused

INTEGERS = ("TINYINT", "BYTE", "SMALLINT", "SHORT", "INT", "INTEGER", "BIGINT", "LONG")

NAME = r"(?:`(?:[^`]|``)+`|[A-Za-z_]\w*)"
TEXT, WHOLE, TRUTH = r"'[^'\\]*'", r"-?\d+", r"(?i:true|false)\b"
LITERALS = {"STRING": TEXT, **dict.fromkeys(INTEGERS, WHOLE), "BOOLEAN": TRUTH}
"""By the type of the column that is compared."""
LITERAL = f"(?:{TEXT}|{WHOLE}|{TRUTH})"
COMPARED = rf"\s*(?:=|==|<>|!=|<=|>=|<|>)\s*{LITERAL}"
IN = rf"\s+(?i:(?:NOT\s+)?IN)\s*\(\s*{LITERAL}(?:\s*,\s*{LITERAL})*\s*\)"
IS = r"\s+(?i:IS\s+(?:NOT\s+)?NULL)\b"
TEST = f"{COMPARED}|{IN}|{IS}"
WORDS = ("AND", "OR", "NOT", "TRUE", "FALSE")


@dataclass(frozen=True)
class Flow:
    """A flow, and the columns it reads and writes."""

    schema: dict[str, str]
    """The source's columns and their types."""
    target: list[str]
    """The columns of the source that reach the target."""
    keys: list[str]
    sequence: list[str]
    """The columns that order the events: several are compared one after the other, nulls first."""
    bounds: list[str] | None
    """Of `struct(..)`, which is never null, its fields in `__START_AT`; None where the sequence is a column."""
    deletes: str
    """A condition in standard SQL."""
    tracked: list[str]
    """The columns in which a change opens a version."""
    scd_type: int

    @classmethod
    def of(cls, opened: Message) -> Flow:
        """The flow of an `open` message."""
        flow = opened["flow"]
        schema = {column["name"]: column["type"] for column in opened["schema"]}
        target = {column["name"]: column["type"] for column in opened["target"]}
        shown = [name for name in target if name in schema]

        def listed(parameter: str) -> list[str]:
            return [column(name, schema) for name in flow.get(parameter) or []]

        struct = re.fullmatch(r"(?is)\s*struct\s*\((.*)\)\s*", flow["sequence_by"])
        fields = [part.strip() for part in (struct[1].split(",") if struct else [flow["sequence_by"]])]
        untracked = listed("track_history_except_column_list")
        return cls(
            schema=schema,
            target=shown,
            keys=listed("keys"),
            sequence=[column(name, schema) for name in fields],
            bounds=re.findall(rf"({NAME})\s*:", target.get("__START_AT", "")) if struct else None,
            deletes=condition(flow.get("apply_as_deletes"), schema),
            tracked=listed("track_history_column_list") or [name for name in shown if name not in untracked],
            scd_type=int(flow.get("stored_as_scd_type") or 1),
        )

    def refuse_nulls(self, rows: list[Message]) -> None:
        """A batch with a null in the sequence or in a key is refused as a whole, in that order."""
        if self.bounds is None and any(row.get(self.sequence[0]) is None for row in rows):
            raise Refused("NULL_SEQUENCE", f"the sequence `{self.sequence[0]}` is null")
        for key in self.keys:
            if any(row.get(key) is None for row in rows):
                raise Refused("NULL_KEY", f"the key `{key}` is null")


def unquoted(name: str) -> str:
    return name[1:-1].replace("``", "`") if name.startswith("`") else name


def column(name: str, schema: dict[str, str]) -> str:
    """A column as the schema spells it: names match without case."""
    for column in schema:
        if column.lower() == unquoted(name).lower():
            return column
    raise Refused("UNSUPPORTED_NAME", f"`{name}` is no column of the source")


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def condition(spark: str | None, schema: dict[str, str]) -> str:
    """A condition that means the same in every SQL: columns compared with literals of their own type, AND, OR, NOT."""
    if not spark:
        return "false"
    tests: list[str] = []

    def test(found: re.Match[str]) -> str:
        """Takes a test out of the condition, so that nothing but the words between them is left."""
        name, rest = found["name"], found["rest"] or ""
        if name.upper() in WORDS:
            return found[0]
        name = column(name, schema)
        kind = kind_of(schema[name])
        is_alone = kind == "BOOLEAN" if not rest else re.match(r"(?i)\s+IS\b", rest)
        fits = [re.fullmatch(LITERALS.get(kind, "(?!)"), one) for one in re.findall(LITERAL, rest)]
        if not is_alone and not (fits and all(fits)):
            raise Refused("UNSUPPORTED_CONDITION", f"`{found[0].strip()}` doesn't compare a {kind} with its like")
        tests.append(quoted(name) + rest.replace("==", "="))
        return "?"

    between = re.sub(rf"(?P<name>{NAME})(?P<rest>{TEST})?", test, spark)
    if between.count("?") != len(tests) or not re.fullmatch(rf"(?:[?\s()]|(?:{'|'.join(WORDS)})\b)*", between, re.I):
        raise Refused("UNSUPPORTED_CONDITION", f"only comparisons with literals, IN, AND, OR and NOT: `{spark}`")
    parts = iter(tests)
    return re.sub(r"\?", lambda _: next(parts), between)


def kind_of(spark_type: str) -> str:
    """The name of a type, in capitals, without what it is made of: `DECIMAL` of `DECIMAL(10,2)`."""
    return re.match(r"\w*", spark_type.strip().upper())[0]
