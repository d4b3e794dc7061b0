"""The fixtures that are open, and how their batches become updates."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pools import Pool, Refused, Row, reason
from session import NAMESPACE, Session
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


class Fixtures:
    """All that the engine holds."""

    def __init__(self, session: Session, folder: Path, *, separate: bool) -> None:
        self.session, self.folder, self.separate = session, folder, separate
        self.pipelines = Pipelines(session, folder)
        self.pools: dict[str, Pool] = {}
        self.opened: dict[int, Fixture] = {}
        self.waiting: dict[int, Batch] = {}
        self.last_pool = self.last_key = 0

    def open(self, body: dict[str, Any]) -> None:
        if "flow" not in body:
            # Several flows: `parameters` refuses what is no parameter of one.
            body = body | {"flow": {"flows": body.get("flows")}}
        # The rules are Spark's own, whichever dialect a fixture is written for.
        body["flow"].pop("dialect", None)
        same = [body["schema"], body["flow"], body.get("target"), self.separate and body["id"]]
        text = json.dumps(same, sort_keys=True, default=str)
        if text not in self.pools:
            self.last_pool += 1
            namespace = f"{self.session.catalog}/{NAMESPACE}"
            self.pools[text] = Pool(f"t{self.last_pool}", body, self.folder, namespace)
        pool = self.pools[text]
        pool.members.add(body["id"])
        self.opened[body["id"]] = Fixture(pool, self.new_key())

    def new_key(self) -> int:
        self.last_key += 1
        return self.last_key

    def close(self, body: dict[str, Any]) -> None:
        pool = self.opened.pop(body["id"]).pool
        pool.members.discard(body["id"])
        if not pool.members:
            self.pools = {text: it for text, it in self.pools.items() if it is not pool}
            self.pipelines.drop(pool)

    def batch(self, body: dict[str, Any]) -> None:
        fixture = self.opened[body["id"]]
        # A full refresh of one fixture must leave the others of its target: under a key that was
        # never used, its target and all that Spark remembers of it are as empty as after one.
        key = self.new_key() if body.get("full_refresh") else fixture.key
        batch = Batch(body["id"], body["checkpoint"], fixture, key, body["rows"])
        self.waiting[batch.id] = batch

    def flush(self) -> list[Answer]:
        batches, self.waiting = list(self.waiting.values()), {}
        return Flush(self.pipelines, batches).answers


class Flush:
    """The batches of a flush, in as few updates as their refusals allow.

    Spark refuses a microbatch as a whole, so one with a refused batch is tried again in parts,
    halved until each refusal is of one batch alone.
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
        self.answers += self.rows_of(done)

    def take(self, batch: Batch) -> None:
        pool = batch.fixture.pool
        if pool.refusal:
            self.refuse_flow(batch, pool.refusal)
            return
        try:
            self.typed[batch.id] = pool.typed(batch.key, batch.rows)
        except Exception as error:
            self.refuse(batch, reason(error))
        else:
            self.work.setdefault(pool, [[]])[0].append(batch)

    def round(self) -> list[Batch]:
        """One update; the batches that are through."""
        pools = [self.alone.pop()] if self.alone else list(self.work)
        for pool in pools:
            pool.write([row for batch in self.work[pool][0] for row in self.typed[batch.id]])
        refused = self.pipelines.update(pools)
        through: list[Batch] = []
        if len(refused) == len(pools) > 1 and not any(refused.values()):
            self.refused_as_a_whole(pools)
        else:
            for pool in pools:
                part = self.work[pool].pop(0)
                if pool not in refused:
                    through += part
                else:
                    self.settle(pool, part, refused[pool], is_alone=len(pools) == 1)
        self.work = {pool: parts for pool, parts in self.work.items() if parts}
        self.alone = [pool for pool in self.alone if pool in self.work]
        return through

    def refused_as_a_whole(self, pools: list[Pool]) -> None:
        """No stream was begun, so the pipeline is refused for a flow in it: which?"""
        for pool in pools:
            if refusal := self.pipelines.refusal_of_flow(pool):
                self.give_up(pool, refusal)
        if not any(pool.refusal for pool in pools):
            self.alone = list(pools)

    def settle(
        self, pool: Pool, part: list[Batch], refusal: Refused | None, *, is_alone: bool
    ) -> None:
        """Refuses a microbatch, or says in which parts it is tried again."""
        parts = self.work[pool]
        if is_alone and refusal and not pool.has_begun():
            parts.insert(0, part)
            self.give_up(pool, refusal)
        elif len(part) == 1 and refusal:
            self.refuse(part[0], refusal)
        elif len(part) == 1:
            # Another pool's refusal may have ended this one's stream.
            parts.insert(0, part)
            self.alone = [pool]
        elif suspects := [it for it in part if pool.is_suspect(self.typed[it.id])]:
            rest = [it for it in part if it not in suspects]
            parts[:0] = [[it] for it in suspects] + ([rest] if rest else [])
        else:
            half = len(part) // 2
            parts[:0] = [part[:half], part[half:]]

    def give_up(self, pool: Pool, refusal: Refused) -> None:
        pool.refusal = refusal
        for part in self.work[pool]:
            for batch in part:
                self.refuse_flow(batch, refusal)
        self.work[pool] = []

    def refuse(self, batch: Batch, refusal: Refused) -> None:
        about = {"id": batch.id, "checkpoint": batch.checkpoint}
        said = {"class": refusal.cls, "message": refusal.message}
        self.answers.append({"refused": about | said})

    def refuse_flow(self, batch: Batch, refusal: Refused) -> None:
        """Says that the fixture can't be carried out at all, which no checkpoint is named for."""
        self.refuse(batch, refusal)
        if batch.checkpoint == 1:
            del self.answers[-1]["refused"]["checkpoint"]

    def rows_of(self, batches: list[Batch]) -> Iterator[Answer]:
        rows = {pool: self.pipelines.read(pool) for pool in {it.fixture.pool for it in batches}}
        for batch in batches:
            batch.fixture.key = batch.key
            own = rows[batch.fixture.pool].get(batch.key, [])
            yield {"rows": {"id": batch.id, "checkpoint": batch.checkpoint, "rows": own}}
