"""Plays a fixture in a workspace, and keeps the rows that its pipeline leaves."""

from __future__ import annotations

import hashlib
import json
import os
import threading
import uuid
from pathlib import Path
from typing import Any, Protocol

from tables import Json, Tables

HERE = Path(__file__).resolve().parent


class NotRun(Exception):
    """What keeps a checkpoint from being run. It says nothing of the rows."""


class Failed(NotRun):
    """An update that failed, with the classes of errors that it names, and their text."""

    def __init__(self, classes: list[str], text: str) -> None:
        super().__init__(f"the update FAILED: {text}")
        self.classes, self.text = classes, text


class Workspace(Protocol):
    """What the kit asks of a workspace; each of them may raise `NotRun`."""

    def sql(self, statement: str, **parameters: str) -> Json:
        """The answer to a statement, as the Statement Execution API gives it."""

    def pipeline(self, name: str, catalog: str, schema: str, configuration: dict[str, str]) -> str:
        """The id of the pipeline that was deployed under a name, if its tables are these."""

    def owner(self, table: str) -> str | None:
        """The id of the pipeline that made a table, or `""`; None if there is no such table."""

    def update(self, pipeline: str, *, full_refresh: bool = False, reset: str | None = None) -> None:
        """Starts an update, and waits until it is COMPLETED. `reset`: a flow that forgets how far it has read."""


class Record:
    """What a run made and what came of it: a file, so that nothing else is ever touched.

    `kit` is the hash of what is played: the run of another kit is refused, whose captures would pass for this one's.
    """

    def __init__(self, folder: Path, kit: str) -> None:
        self.folder, self.file, self.lock = folder, folder / "record.json", threading.Lock()
        new = {"made_by": uuid.uuid4().hex, "kit": kit, "is_cleaned": False, "tables": [], "plays": {}}
        self.json: Json = json.loads(self.file.read_text("utf-8")) if self.file.exists() else new
        if self.json.get("kit") != kit:
            raise NotRun(f"{folder} holds the run of another kit; expected another folder: --run FOLDER")

    def save(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        replace(self.file, self.json)

    def makes(self, table: str) -> None:
        """Written down before the table is made: of what is not in the record nothing is dropped."""
        with self.lock:
            self.json["tables"].append(table)
            self.save()

    def begins(self, play: Json) -> bool:
        """Whether a play is begun for the first time."""
        with self.lock:
            is_new = play["key"] not in self.json["plays"]
            if is_new:
                self.json["plays"][play["key"]] = None
                self.save()
            return is_new

    def ends(self, plan: Json, play: Json, captures: list[Json], replay: list[Json]) -> None:
        with self.lock:
            self.json["plays"][play["key"]] = {"captures": captures, "replay": replay}
            self.save()
            for name in ("captures", "replay"):
                known = (self.json["plays"].get(it["key"]) or {} for it in plan["plays"])
                entries = [entry for it in known for entry in it.get(name, [])]
                if entries:
                    file = "manifest.json" if name == "captures" else "replay.json"
                    replace(self.folder / file, {"captures": entries})


def hash_of(folder: Path) -> str:
    """The SHA-256 of what a kit plays: its plan, and the definitions that stand there."""
    text = (folder / "plan.json").read_bytes()
    definitions = sorted({it["definition"] for it in json.loads(text)["plays"]})
    parts = [text, *((folder / it).read_bytes() for it in definitions)]
    return hashlib.sha256("\n".join(hashlib.sha256(part).hexdigest() for part in parts).encode()).hexdigest()


def is_of_microbatch(cls: str) -> bool:
    """Whether AUTO CDC refuses rows with a class, and not the definition of a flow."""
    first = cls.split(".")[0]
    return first.startswith(("AUTOCDC", "APPLY_CHANGES")) and "MICROBATCH" in first


def replace(file: Path, value: Json) -> None:
    new = file.with_suffix(".new")
    new.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", "utf-8")
    os.replace(new, file)


class Player:
    """Plays a fixture: its checkpoints one after the other, on one source, one pipeline, one target."""

    def __init__(self, workspace: Workspace, plan: Json, play: Json, record: Record) -> None:
        self.workspace, self.plan, self.play, self.record = workspace, plan, play, record
        self.tables = Tables(plan, play)
        self.pipeline = ""
        # Whether the stream would read a refused batch again.
        self.is_stuck = False
        self.captures: list[Json] = []
        # Why nothing more can be run.
        self.stop: str | None = None

    def run(self, *, with_replay: bool) -> tuple[list[Json], list[Json]]:
        """What came of the checkpoints, and of the replay."""
        if self.record.begins(self.play):
            try:
                self.begin()
            except NotRun as error:
                self.stop = str(error)
        else:
            self.stop = "an earlier run was interrupted in it; clean up, and begin anew in another folder"
        for checkpoint in self.play["checkpoints"]:
            self.step(checkpoint)
        last = self.play["checkpoints"][-1]
        # What is refused would be refused again, with all that is beside it.
        is_accepted = not any("expect_error" in it for it in self.play["checkpoints"])
        is_replayed = with_replay and "mutant" not in self.play and last["is_compared"] and is_accepted
        return self.captures, self.replay(last) if is_replayed else []

    def begin(self) -> None:
        """Finds the pipeline, and makes the source. Both tables must be new: no others are used."""
        plan, play = self.plan, self.play
        settings = {"cdc.source_table": self.tables.source, "cdc.target_table": play["target_table"]}
        self.pipeline = self.workspace.pipeline(play["pipeline"], plan["catalog"], plan["schema"], settings)
        for table in (play["source_table"], play["target_table"]):
            name = f"{plan['catalog']}.{plan['schema']}.{table}"
            if self.workspace.owner(name) is not None:
                raise NotRun(f"the table {name} is there already, and this run didn't make it")
        self.record.makes(self.tables.source)
        self.workspace.sql(self.tables.create(self.record.json["made_by"]))

    def step(self, checkpoint: Json) -> None:
        entry = self.entry(checkpoint)
        if self.stop is None:
            try:
                self.deliver(checkpoint)
                if checkpoint["is_compared"]:
                    entry["rows"] = self.capture(str(checkpoint["checkpoint"]))
            except Failed as failed:
                self.failed(checkpoint, entry, failed)
            except NotRun as error:
                entry["not_run"] = str(error)
                self.stop = f"checkpoint {checkpoint['checkpoint']} wasn't run: {error}"
        else:
            entry["not_run"] = self.stop
        # What isn't compared is told of only where it wasn't run.
        if checkpoint["is_compared"] or "not_run" in entry:
            self.captures.append(entry)

    def entry(self, checkpoint: Json) -> Json:
        fixture = Path(os.path.relpath(HERE / self.play["fixture"], self.record.folder)).as_posix()
        entry = {"fixture": fixture, "checkpoint": checkpoint["checkpoint"]}
        return entry | ({"mutant": self.play["mutant"]} if "mutant" in self.play else {})

    def deliver(self, checkpoint: Json) -> None:
        """Appends a batch, and runs an ordinary update; a full refresh only where the fixture says so."""
        full_refresh = checkpoint.get("full_refresh", False)
        # Then the whole source is read again, so that what was before must not be in it.
        if full_refresh or self.is_stuck:
            self.workspace.sql(f"TRUNCATE TABLE {self.tables.source}")
        if checkpoint["append"]:
            self.workspace.sql(self.tables.append(), rows=self.tables.rows(checkpoint["append"]))
        # A flow without a name is called as its target is.
        flow = f"{self.plan['catalog']}.{self.plan['schema']}.{self.play['target_table']}"
        reset = flow if self.is_stuck and not full_refresh else None
        self.workspace.update(self.pipeline, full_refresh=full_refresh, reset=reset)
        self.is_stuck = False

    def failed(self, checkpoint: Json, entry: Json, failed: Failed) -> None:
        """A failed update is a refusal where one is expected: with the class that the fixture expects, or with one that
        AUTO CDC refuses a microbatch with. One of a definition, which can't even start, is none."""
        number, expected = checkpoint["checkpoint"], checkpoint.get("expect_error")
        named = [it for it in failed.classes if expected in (it, it.split(".")[-1])]
        cls = next(iter(named + [it for it in failed.classes if is_of_microbatch(it)]), None)
        if expected and cls:
            entry["refused"] = f"{cls}: {failed.text}"
            self.is_stuck = True
        else:
            entry["not_run"] = str(failed)
            self.stop = f"checkpoint {number} wasn't run: {failed}"

    def replay(self, last: Json) -> list[Json]:
        """All batches in one, into an empty target: a full refresh, which reads the whole source again."""
        entry = self.entry(last)
        try:
            if self.stop:
                raise NotRun(self.stop)
            self.workspace.update(self.pipeline, full_refresh=True)
            entry["rows"] = self.capture("replay")
        except NotRun as error:
            entry["not_run"] = str(error)
        return [entry]

    def capture(self, name: str) -> str:
        """The rows of the target and their types, in a new file; its path in the folder of the run."""
        answer = self.workspace.sql(f"SELECT * FROM {self.tables.target}")
        file = self.record.folder / "captures" / f"{self.play['key']}.{name}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        path = file.relative_to(self.record.folder).as_posix()
        try:
            with file.open("x", encoding="utf-8") as new:
                json.dump(answer, new, indent=1, ensure_ascii=False)
        except FileExistsError:
            raise NotRun(f"{path} is there already, and no capture is overwritten") from None
        return path
