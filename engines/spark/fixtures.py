"""The fixtures that are open, and their batches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from flush import Answer, Batch, Fixture, Flush
from pools import Pool
from reasons import Failed
from session import Session
from updates import Pipelines


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
        pool = self.pools.get(text)
        if pool is None:
            self.last_pool += 1
            namespace = f"{self.session.catalog}/{self.session.namespace}"
            pool = Pool(f"t{self.last_pool}", body, self.folder, namespace)
            # What failed once may go well for the next.
            if not isinstance(pool.refusal, Failed):
                self.pools[text] = pool
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
