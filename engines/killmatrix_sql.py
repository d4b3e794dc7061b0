"""An engine whose tables are those of a database: what SQLite and DuckDB share.

An applier is SQL: what makes its tables, what carries out the events in the table `batch`, and what shows the target.
`newest`, `newer` and `history` are what a right one is made of, in SQL that both read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from killmatrix_engine import Failed, Message, Refused
from killmatrix_flow import Flow, kind_of, quoted

CLAUSES = ["apply_as_deletes", "column_list", "except_column_list"]
HISTORY = ["track_history_column_list", "track_history_except_column_list"]


class Kind(NamedTuple):
    """A type in the database: its name there, and values on their way in and out."""

    sql: str
    stored: Callable[[Any, str], Any] = lambda value, spark_type: value
    shown: Callable[[Any], Any] = lambda value: value


class Applier(NamedTuple):
    create: list[str]
    apply: list[str]
    show: str


def listed(names: list[str], form: str = "{}") -> str:
    """Columns with commas between them, each in a form such as `s.{}`."""
    return ", ".join(form.format(quoted(name)) for name in names)


def numbered(names: list[str], form: str) -> str:
    """The same with the place of each column: `LEAD({0}) OVER key AS end_{1}`."""
    return ", ".join(form.format(quoted(name), place) for place, name in enumerate(names))


def events_of(flow: Flow) -> str:
    """The batch, with a mark on what deletes: a condition that is null doesn't."""
    return f"SELECT *, COALESCE({flow.deletes}, false) AS __is_delete FROM batch"


def newest(flow: Flow) -> str:
    """Of each key in the batch the event with the greatest sequence, of equal ones the last."""
    return f"""
        SELECT {listed([*flow.schema, "__is_delete"])} FROM (
            SELECT *, ROW_NUMBER() OVER (
                PARTITION BY {listed(flow.keys)} ORDER BY {listed(flow.sequence, "{} DESC NULLS LAST")}, __place DESC
            ) AS __rank FROM ({events_of(flow)}) AS events
        ) AS ranked WHERE __rank = 1"""


def newer(flow: Flow, new: str, old: str) -> str:
    """Whether an event is after what is known of its key: field by field, nulls first; at a tie an upsert is."""
    condition = f"NOT {new}.__is_delete"
    for name in map(quoted, reversed(flow.sequence)):
        one, other = f"{new}.{name}", f"{old}.{name}"
        after = f"{one} > {other} OR ({one} IS NOT NULL AND {other} IS NULL)"
        condition = f"({after} OR ({one} IS NOT DISTINCT FROM {other} AND {condition}))"
    return condition


def history(flow: Flow, columns: str) -> Applier:
    """SCD type 2: every event is kept, and the versions are derived from all of them, so a late one may change any."""
    keys, order = listed(flow.keys), listed(flow.sequence, "{} NULLS FIRST")
    changed = " OR ".join(f"LAG({name}) OVER a_key IS DISTINCT FROM {name}" for name in map(quoted, flow.tracked))
    show = f"""
        WITH settled AS (  -- One event at each place of the sequence: a delete, or else the last of the first batch.
            SELECT * FROM (
                SELECT *, ROW_NUMBER() OVER (
                    PARTITION BY {keys}, {listed(flow.sequence)} ORDER BY __is_delete DESC, __batch, __place DESC
                ) AS __rank FROM log
            ) AS ranked WHERE __rank = 1
        ), opening AS (  -- Upserts that follow one another and agree are one version.
            SELECT *, NOT __is_delete AND (LAG(__is_delete, 1, true) OVER a_key OR {changed}) AS __opens
            FROM settled WINDOW a_key AS (PARTITION BY {keys} ORDER BY {order})
        ), ending AS (
            SELECT *, SUM(CASE WHEN __opens THEN 1 ELSE 0 END) OVER a_key AS __version,
                LEAD(__opens OR __is_delete, 1, true) OVER a_key AS __is_last,
                LEAD(true, 1, false) OVER a_key AS __is_closed,
                {numbered(flow.sequence, "LEAD({}) OVER a_key AS __end_{}")}
            FROM opening WINDOW a_key AS (PARTITION BY {keys} ORDER BY {order})
        ), starting AS (
            SELECT *, {numbered(flow.sequence, "FIRST_VALUE({}) OVER a_version AS __start_{}")}
            FROM ending WINDOW a_version AS (PARTITION BY {keys}, __version ORDER BY {order})
        )
        SELECT {listed(flow.target)}, {numbered(flow.sequence, "__start_{1}")}, __is_closed,
            {numbered(flow.sequence, "__end_{1}")}
        FROM starting WHERE __is_last AND NOT __is_delete"""
    return Applier(
        create=[f"CREATE TABLE log ({columns}, __is_delete BOOLEAN, __batch INTEGER)"],
        apply=[
            f"""INSERT INTO log SELECT *, (SELECT COALESCE(MAX(__batch), 0) + 1 FROM log)
            FROM ({events_of(flow)}) AS events"""
        ],
        show=show,
    )


class Table:
    """The target of one fixture, in a database of its own."""

    def __init__(self, engine: Engine, opened: Message) -> None:
        self.engine, self.flow = engine, Flow.of(opened)
        self.kinds = {name: engine.kind(spark_type) for name, spark_type in self.flow.schema.items()}
        columns = ", ".join(f"{quoted(name)} {kind.sql}" for name, kind in self.kinds.items()) + ", __place INTEGER"
        self.applier = engine.applier(self.flow, columns)
        self.create = [f"CREATE TABLE batch ({columns})", *self.applier.create]
        casts = ", ".join(f"CAST(? AS {kind.sql})" if engine.casts else "?" for kind in self.kinds.values())
        self.fill = f"INSERT INTO batch VALUES ({casts}, ?)"
        self.empty()

    def empty(self) -> None:
        self.database = self.engine.connect()
        for statement in self.create:
            self.database.execute(statement)

    def merge(self, rows: list[Message]) -> None:
        """All of a batch, or nothing."""
        self.database.execute("BEGIN")
        try:
            self.database.execute("DELETE FROM batch")
            for place, row in enumerate(rows):
                self.database.execute(self.fill, [*(self.stored(name, row.get(name)) for name in self.kinds), place])
            for statement in self.applier.apply:
                self.database.execute(statement)
        except self.engine.errors as error:
            self.database.execute("ROLLBACK")
            raise Failed(str(error)) from error
        self.database.execute("COMMIT")

    def stored(self, name: str, value: Any) -> Any:
        return None if value is None else self.kinds[name].stored(value, self.flow.schema[name])

    def shown(self, name: str, value: Any) -> Any:
        return None if value is None else self.kinds[name].shown(value)

    def rows(self) -> list[Message]:
        return [self.row(list(values)) for values in self.database.execute(self.applier.show).fetchall()]

    def row(self, values: list[Any]) -> Message:
        flow, width = self.flow, len(self.flow.target)
        row = {name: self.shown(name, value) for name, value in zip(flow.target, values)}
        if flow.scd_type == 2:
            fields = len(flow.sequence)
            start, is_closed, end = values[width : width + fields], values[width + fields], values[-fields:]
            row["__START_AT"] = self.bound(start)
            row["__END_AT"] = self.bound(end) if is_closed else None
        return row

    def bound(self, values: list[Any]) -> Any:
        """A place in the sequence: of `struct(..)` an object."""
        shown = [self.shown(name, value) for name, value in zip(self.flow.sequence, values)]
        return shown[0] if self.flow.bounds is None else dict(zip(self.flow.bounds, shown))


class Engine:
    """What the loop calls. A database gives its name, its types, how to connect, and two appliers."""

    name: str
    version: str
    kinds: dict[str, Kind]
    errors: type[Exception]
    casts = False
    """Whether a value must be cast to the type of its column."""

    def __init__(self, is_naive: bool) -> None:
        self.is_naive = is_naive
        self.tables: dict[int, Table] = {}

    def connect(self) -> Any:
        raise NotImplementedError

    def naive(self, flow: Flow, columns: str) -> Applier:
        raise NotImplementedError

    def current(self, flow: Flow, columns: str) -> Applier:
        raise NotImplementedError

    def applier(self, flow: Flow, columns: str) -> Applier:
        if self.is_naive:
            return self.naive(flow, columns)
        return history(flow, columns) if flow.scd_type == 2 else self.current(flow, columns)

    def kind(self, spark_type: str) -> Kind:
        if kind_of(spark_type) not in self.kinds:
            raise Refused("UNSUPPORTED_TYPE", f"{self.name} has no {spark_type} here")
        kind = self.kinds[kind_of(spark_type)]
        return kind._replace(sql=kind.sql.replace("(p,s)", spark_type[len("DECIMAL") :]))

    def hello(self) -> Message:
        scd_types, clauses = ([1], CLAUSES) if self.is_naive else ([1, 2], [*CLAUSES, *HISTORY, "full_refresh"])
        name = f"{self.name}, naive" if self.is_naive else self.name
        return {"name": name, "version": self.version, "scd_types": scd_types, "clauses": clauses}

    def open(self, message: Message) -> None:
        self.tables[message["id"]] = Table(self, message)

    def batch(self, message: Message) -> list[Message]:
        table = self.tables[message["id"]]
        if message.get("full_refresh"):  # Also where the batch is then refused.
            table.empty()
        if not self.is_naive:
            table.flow.refuse_nulls(message["rows"])
        table.merge(message["rows"])
        return table.rows()

    def close(self, message: Message) -> None:
        self.tables.pop(message["id"], None)
