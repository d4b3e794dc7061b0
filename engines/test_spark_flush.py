"""How the engine for Spark tells a refusal from what couldn't be carried out: its own rules, without Spark."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from driver import HERE

sys.path.insert(0, str(HERE / "spark"))

from flush import Batch, Fixture, Flush
from reasons import Failed, Reason, Refused, reason, reason_of_event

SCHEMA = json.loads((HERE / "protocol.schema.json").read_text("utf-8"))
ANSWER = Draft202012Validator({**SCHEMA, "oneOf": [{"$ref": "#/$defs/from_engine"}]})

Row = dict[str, Any]
Answers = dict[int, Any]
"""By the id: which answer, and what it holds."""

STREAM = "[STREAM_FAILED] Query [id = 2a758adc, runId = 87af9e45] terminated with exception: "
# As Spark 4.3 words them; DENIED as Databricks does.
NULL_KEY = (
    f"{STREAM}[AUTOCDC_MICROBATCH_VALIDATION.NULL_KEY] AutoCDC flow on table `memory`.`default`.`t11` in batch 0 "
    "failed microbatch validation. SQLSTATE: 22000 SQLSTATE: XXKST\n=== Streaming Query ==="
)
NO_KEY = "[AUTOCDC_KEY_NOT_IN_SELECTED_SCHEMA] the key column `nobody` is not present. SQLSTATE: 22023\n\nJVM stack"
UNRESOLVED = f"{STREAM}[UNRESOLVED_COLUMN.WITH_SUGGESTION] `nothing` cannot be resolved. SQLSTATE: 42703; line 1 pos 0;"
SYNTAX = "\n[PARSE_SYNTAX_ERROR] Syntax error at or near '='. SQLSTATE: 42601 (line 1, pos 0)"
NO_TYPE = '\n[UNSUPPORTED_DATATYPE] Unsupported data type "NONSENSE". SQLSTATE: 0A000 (line 1, pos 5)'
DENIED = "[INSUFFICIENT_PERMISSIONS] User does not have CREATE TABLE on Schema 'shop.t'. SQLSTATE: 42501"
DENIED_BY_STATE = "[NOT_YOURS] no CREATE TABLE. SQLSTATE: 42501"
DENIED_BY_NAME = "[LACKS_PERMISSION] no CREATE TABLE. SQLSTATE: 42000"
FULL = f"{STREAM}No space left on device SQLSTATE: XXKST"
UNREADABLE = f"{STREAM}[FAILED_READ_FILE.NO_HINT] Encountered error while reading x. SQLSTATE: KD001 SQLSTATE: XXKST"
GONE = "[SCHEMA_NOT_FOUND] The schema `shop`.`t` cannot be found. SQLSTATE: 42704"
BAD_CAST = (
    f"{STREAM}[CAST_INVALID_INPUT] The value '[AUTOCDC_MICROBATCH_VALIDATION.NULL_KEY]' cannot be cast. SQLSTATE: 22018"
)
NO_CLASS = "(org.apache.hadoop.fs.ParentNotDirectoryException) Parent path is not a directory: file:/x\n\nJVM"


@pytest.mark.parametrize(
    ("text", "cls", "is_of_microbatch"),
    [
        (NULL_KEY, "AUTOCDC_MICROBATCH_VALIDATION.NULL_KEY", True),
        (NO_KEY, "AUTOCDC_KEY_NOT_IN_SELECTED_SCHEMA", False),
        (UNRESOLVED, "UNRESOLVED_COLUMN.WITH_SUGGESTION", False),
        (SYNTAX, "PARSE_SYNTAX_ERROR", False),
        (NO_TYPE, "UNSUPPORTED_DATATYPE", False),
    ],
)
def test_conditions_of_auto_cdc_and_of_the_analysis_are_refusals(text: str, cls: str, is_of_microbatch: bool) -> None:
    found = reason(Exception(text))
    assert isinstance(found, Refused) and (found.cls, found.is_of_microbatch) == (cls, is_of_microbatch)
    assert found.message.startswith(f"[{cls}] ") and "\n" not in found.message


FAILURES = [DENIED, DENIED_BY_STATE, DENIED_BY_NAME, FULL, UNREADABLE, GONE, BAD_CAST, NO_CLASS, ""]


@pytest.mark.parametrize("text", FAILURES)
def test_all_else_has_failed(text: str) -> None:
    found = reason(OSError(text))
    assert isinstance(found, Failed) and found.message.startswith("OSError: ") and len(found.message) > len("OSError: ")


def test_an_event_is_of_the_flow_that_it_names() -> None:
    events = [
        "Flow memory.default.t1 is RUNNING.",
        f"Flow 'memory.default.t11' has FAILED more than 0 times and will not be restarted.\nError: {NULL_KEY} t1",
        "Flow memory.default.t1 has COMPLETED.",
    ]
    assert isinstance(reason_of_event(events, "t11"), Refused)
    assert reason_of_event(events, "t1") is None


class Pool:
    """Fixtures that share a stream. `breaks` is why no update of it passes, whatever its rows."""

    def __init__(self, breaks: str = "") -> None:
        self.breaks, self.is_full = breaks, False
        self.refusal: Reason | None = None
        self.is_made = self.is_begun = False
        self.written: list[Row] = []
        self.target: dict[int, list[Row]] = {}

    def typed(self, key: int, rows: list[Row]) -> list[Row]:
        if any("nobody" in row for row in rows):
            raise Refused("UNKNOWN_COLUMN", "the source has no nobody")
        return [row | {"__fixture": key} for row in rows]

    def is_suspect(self, rows: list[Row]) -> bool:
        return any(row["id"] is None for row in rows)

    def has_begun(self) -> bool:
        return self.is_begun

    def write(self, rows: list[Row]) -> None:
        if self.is_full:
            raise OSError(28, "No space left on device")
        self.written = rows


class Spark:
    """Pipelines whose microbatches fail by what is in them: a null key, or `breaks`, a text of an error."""

    def __init__(self, *, stops: bool = False) -> None:
        self.updates: list[int] = []
        # Whether a failure ends the streams that come after it in an update, which then say nothing.
        self.stops = stops
        # What goes wrong once a stream is begun: always, and in an update of several; and what with the target.
        self.breaks, self.breaks_together, self.unreadable = "", "", False

    def error_of(self, pool: Pool) -> str:
        if pool.breaks:
            return pool.breaks
        pool.is_begun = True
        found = [row["breaks"] for row in pool.written if "breaks" in row]
        nulls = [NULL_KEY for row in pool.written if row["id"] is None]
        return next(iter([self.breaks] * bool(self.breaks) + found + nulls), "")

    def update(self, pools: list[Pool]) -> dict[Pool, Reason | None]:
        self.updates.append(len(pools))
        assert len(self.updates) < 100
        left: dict[Pool, Reason | None] = {}
        for number, pool in enumerate(pools):
            if left and self.stops:
                left[pool] = None
            elif text := self.error_of(pool) or (len(pools) > 1 and self.breaks_together):
                events = [f"Flow 'memory.default.t{number}' has FAILED.\nError: {text}"]
                # What is found before any stream begins has no event.
                said = [] if pool.breaks else events
                left[pool] = reason(Exception(text)) if len(pools) == 1 else reason_of_event(said, f"t{number}")
            else:
                pool.is_made = True
                for row in pool.written:
                    pool.target.setdefault(row["__fixture"], []).append(row)
        return left

    def is_broken(self, pool: Pool) -> bool:
        pool.write([])
        return pool in self.update([pool])

    def reason_against(self, pool: Pool) -> Reason | None:
        found = reason(Exception(pool.breaks)) if pool.breaks else None
        return found if isinstance(found, Refused) else None

    def read(self, pool: Pool) -> dict[int, list[Row]] | Failed:
        return Failed("the target can't be read") if self.unreadable else pool.target


def flushed(spark: Spark, batches: list[tuple[Pool, Row]], first: int = 0, checkpoint: int = 1) -> Answers:
    """The answers to batches of a row each, by their ids."""
    asked = [
        Batch(id, checkpoint, Fixture(pool, id), id, [row])
        for id, (pool, row) in enumerate(batches, first)
    ]
    answers = Flush(spark, asked).answers
    found: Answers = {}
    for answer in answers:
        ANSWER.validate(answer)
        ((verb, body),) = answer.items()
        assert body["id"] not in found
        found[body["id"]] = verb, body
    assert found.keys() == {it.id for it in asked}
    return found


def verbs(found: Answers) -> list[str]:
    return [found[id][0] for id in sorted(found)]


@pytest.mark.parametrize("stops", [False, True])
@pytest.mark.parametrize("text", [FULL, UNREADABLE, BAD_CAST])
def test_a_batch_that_fails_takes_no_neighbour_with_it(text: str, stops: bool) -> None:
    spark, pool, other = Spark(stops=stops), Pool(), Pool()
    rows: list[tuple[Pool, Row]] = [(pool, {"id": id}) for id in range(8)]
    rows[5] = pool, {"id": 5, "breaks": text}
    rows.append((other, {"id": 8}))
    found = flushed(spark, rows)
    assert verbs(found) == ["rows"] * 5 + ["failed"] + ["rows"] * 3
    assert found[5][1]["checkpoint"] == 1
    assert [row["id"] for id in range(9) if id != 5 for row in found[id][1]["rows"]] == [0, 1, 2, 3, 4, 6, 7, 8]
    assert verbs(flushed(spark, [(pool, {"id": 9})], first=9)) == ["rows"]


def test_a_failure_of_many_is_not_one_of_each() -> None:
    spark = Spark()
    spark.breaks_together = FULL
    assert verbs(flushed(spark, [(Pool(), {"id": id}) for id in range(3)])) == ["rows"] * 3


def test_a_pool_whose_stream_another_has_ended_is_tried_again() -> None:
    spark, first, second = Spark(stops=True), Pool(), Pool()
    found = flushed(spark, [(first, {"id": None}), (second, {"id": 1}), (second, {"id": 2})])
    assert verbs(found) == ["refused", "rows", "rows"]
    assert spark.updates == [2, 1]


def test_a_null_key_is_refused_beside_a_batch_that_fails() -> None:
    spark, pool = Spark(), Pool()
    rows: list[Row] = [{"id": None}, {"id": 1, "breaks": FULL}, {"id": 2}, {"id": 3}]
    found = flushed(spark, [(pool, row) for row in rows])
    assert verbs(found) == ["refused", "failed", "rows", "rows"]
    assert found[0][1]["class"].endswith(".NULL_KEY") and found[0][1]["checkpoint"] == 1


@pytest.mark.parametrize("text", [DENIED, DENIED_BY_NAME, NO_CLASS, GONE])
def test_what_stands_in_the_way_of_all_is_no_refusal(text: str) -> None:
    spark, pools = Spark(), [Pool(text), Pool(text)]
    found = flushed(spark, [(pools[id % 2], {"id": id}) for id in range(8)])
    assert verbs(found) == ["failed"] * 8
    assert all(body["checkpoint"] == 1 for _, body in found.values())
    # Nothing is tried in parts, for no row was read.
    assert spark.updates == [2, 1, 1]
    for pool in pools:
        pool.breaks = ""
    assert verbs(flushed(spark, [(pools[id % 2], {"id": id}) for id in range(4)], first=8)) == ["rows"] * 4


def test_a_disk_that_is_full_later_on_fails_all_at_once() -> None:
    spark, pool = Spark(), Pool()
    assert verbs(flushed(spark, [(pool, {"id": 0})])) == ["rows"]
    spark.breaks = FULL
    found = flushed(spark, [(pool, {"id": id}) for id in range(8)], first=1, checkpoint=2)
    assert verbs(found) == ["failed"] * 8
    # The update, and one without rows.
    assert spark.updates == [1, 1, 1]
    spark.breaks = ""
    pool.is_full = True
    assert verbs(flushed(spark, [(pool, {"id": 1}), (Pool(), {"id": 2})], first=9)) == ["failed", "rows"]


def test_a_target_that_cant_be_read_fails() -> None:
    spark = Spark()
    spark.unreadable = True
    assert verbs(flushed(spark, [(Pool(), {"id": 0})])) == ["failed"]


@pytest.mark.parametrize("text", [NO_KEY, UNRESOLVED, SYNTAX])
def test_a_flow_is_refused_without_a_checkpoint_and_for_good(text: str) -> None:
    spark, pool, other = Spark(), Pool(text), Pool()
    found = flushed(spark, [(pool, {"id": 0}), (pool, {"id": 1}), (other, {"id": 2})])
    assert verbs(found) == ["refused", "refused", "rows"]
    assert all("checkpoint" not in found[id][1] for id in (0, 1))
    found = flushed(spark, [(pool, {"id": 3})], first=3, checkpoint=2)
    assert verbs(found) == ["refused"] and found[3][1]["checkpoint"] == 2


@pytest.mark.parametrize("text", [NO_KEY, UNRESOLVED])
def test_a_flow_that_was_carried_out_before_is_not_refused(text: str) -> None:
    spark, pool = Spark(), Pool()
    assert verbs(flushed(spark, [(pool, {"id": 0})])) == ["rows"]
    pool.breaks = text
    assert verbs(flushed(spark, [(pool, {"id": 1}), (pool, {"id": 2})], first=1)) == ["failed"] * 2


def test_a_column_that_the_source_hasnt_is_refused_without_spark() -> None:
    spark, pool = Spark(), Pool()
    found = flushed(spark, [(pool, {"id": 0, "nobody": 1}), (pool, {"id": 1})])
    assert verbs(found) == ["refused", "rows"] and found[0][1]["class"] == "UNKNOWN_COLUMN"
