"""The batches of a flush, as updates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reasons import Failed, Reason, Refused, reason

if TYPE_CHECKING:
    from pools import Pool, Row
    from updates import Pipelines

Answer = dict[str, Any]


@dataclass
class Fixture:
    """An open fixture: its pool, and the value of the technical key that is its own."""

    pool: Pool
    key: int


@dataclass
class Batch:
    """A batch that waits for the flush."""

    id: int
    checkpoint: int
    fixture: Fixture
    # The technical key of its rows: another one from here on in a full refresh.
    key: int
    rows: list[Row]


class Flush:
    """The batches of a flush, in as few updates as their refusals allow.

    Spark refuses a microbatch as a whole, and one that fails is lost as a whole. So one with such a
    batch is tried again in parts, halved until each refusal, each failure is of one batch alone;
    but where not even a microbatch without rows passes, nothing in them is the reason.
    """

    def __init__(self, pipelines: Pipelines, batches: list[Batch]) -> None:
        self.pipelines = pipelines
        self.answers: list[Answer] = []
        self.typed: dict[int, list[Row]] = {}
        # The microbatches that each pool has still to do; those whose pool must be asked alone.
        self.work: dict[Pool, list[list[Batch]]] = {}
        self.alone: list[Pool] = []
        done: list[Batch] = []
        for batch in batches:
            self.take(batch)
        while self.work:
            done += self.round()
            self.work = {pool: parts for pool, parts in self.work.items() if parts}
            self.alone = [pool for pool in self.alone if pool in self.work]
        self.answers += self.rows_of(done)

    def take(self, batch: Batch) -> None:
        pool = batch.fixture.pool
        if pool.refusal:
            self.say(batch, pool.refusal, is_of_flow=True)
            return
        try:
            self.typed[batch.id] = pool.typed(batch.key, batch.rows)
        except Exception as error:
            self.say(batch, reason(error))
        else:
            self.work.setdefault(pool, [[]])[0].append(batch)

    def round(self) -> list[Batch]:
        """One update; the batches that are through."""
        pools = [self.alone.pop()] if self.alone else list(self.work)
        pools = [pool for pool in pools if self.is_written(pool)]
        if not pools:
            return []
        left = self.pipelines.update(pools)
        if len(left) == len(pools) > 1 and not any(left.values()):
            self.left_as_a_whole(pools)
            return []
        through: list[Batch] = []
        for pool in pools:
            if pool not in left:
                through += self.work[pool].pop(0)
            elif why := left[pool]:
                self.settle(pool, why, is_alone=len(pools) == 1)
            # Else another pool may have ended this one's stream: it is tried again as it is.
        return through

    def is_written(self, pool: Pool) -> bool:
        """Writes a pool's next microbatch, if the disk has room for it."""
        try:
            pool.write([row for batch in self.work[pool][0] for row in self.typed[batch.id]])
        except OSError as error:
            self.give_up(pool, reason(error))
            return False
        return True

    def left_as_a_whole(self, pools: list[Pool]) -> None:
        """No stream was begun: is the pipeline refused for a flow in it, and which?"""
        for pool in pools:
            if why := self.pipelines.reason_against(pool):
                self.give_up(pool, why)
        if all(self.work[pool] for pool in pools):
            self.alone = list(pools)

    def settle(self, pool: Pool, why: Reason, *, is_alone: bool) -> None:
        """Says what came of a microbatch, or in which parts it is tried again."""
        parts = self.work[pool]
        if isinstance(why, Refused) and not why.is_of_microbatch:
            if not pool.is_made:
                self.give_up(pool, why)
                return
            # A flow that was carried out before isn't refused now.
            why = Failed(f"{why.cls}: {why.message}")
        if isinstance(why, Failed) and not is_alone:
            # What befell the update may not be this pool's own.
            self.alone.append(pool)
        elif isinstance(why, Failed) and not pool.has_begun():
            # No row was read, so none is the reason.
            self.give_up(pool, why)
        elif len(parts[0]) == 1:
            self.say(parts.pop(0)[0], why)
        elif isinstance(why, Failed) and self.pipelines.is_broken(pool):
            self.give_up(pool, why)
        else:
            part = parts.pop(0)
            if suspects := [it for it in part if pool.is_suspect(self.typed[it.id])]:
                rest = [it for it in part if it not in suspects]
                parts[:0] = [[it] for it in suspects] + ([rest] if rest else [])
            else:
                half = len(part) // 2
                parts[:0] = [part[:half], part[half:]]

    def give_up(self, pool: Pool, why: Reason) -> None:
        """All batches of a pool are over: by a refusal for good, by a failure those of now."""
        if isinstance(why, Refused):
            pool.refusal = why
        for part in self.work[pool]:
            for batch in part:
                self.say(batch, why, is_of_flow=True)
        self.work[pool] = []

    def say(self, batch: Batch, why: Reason, *, is_of_flow: bool = False) -> None:
        """Without a checkpoint it is refused that the fixture can be carried out at all: at its first."""
        about = {"id": batch.id, "checkpoint": batch.checkpoint}
        if isinstance(why, Failed):
            self.answers.append({"failed": about | {"message": why.message}})
            return
        if is_of_flow and batch.checkpoint == 1:
            del about["checkpoint"]
        self.answers.append({"refused": about | {"class": why.cls, "message": why.message}})

    def rows_of(self, batches: list[Batch]) -> Iterator[Answer]:
        rows = {pool: self.pipelines.read(pool) for pool in {it.fixture.pool for it in batches}}
        for batch in batches:
            batch.fixture.key = batch.key
            found = rows[batch.fixture.pool]
            if isinstance(found, Failed):
                self.say(batch, found)
                continue
            own = found.get(batch.key, [])
            yield {"rows": {"id": batch.id, "checkpoint": batch.checkpoint, "rows": own}}
