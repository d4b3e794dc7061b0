#!/usr/bin/env python3
"""Plays the fixtures of this kit in a Databricks workspace, and keeps the rows that its pipelines leave.

    python kit.py run --warehouse ID     plays what wasn't played yet
    python kit.py clean --warehouse ID   drops the source tables that `run` made

README.md beside this file says the rest.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from fnmatch import fnmatchcase
from pathlib import Path

from play import HERE, NotRun, Player, Record, Workspace, hash_of
from tables import MADE_BY, Json


def run(workspace: Workspace, plan: Json, record: Record, only: list[str], jobs: int, *, with_replay: bool) -> int:
    """Plays what wasn't played yet. 0: everything was run."""
    if record.json["is_cleaned"]:
        sys.exit(f"{record.folder} is cleaned up; expected another folder: --run FOLDER")

    def play(one: Json) -> None:
        captures, replay = Player(workspace, plan, one, record).run(with_replay=with_replay)
        record.ends(plan, one, captures, replay)
        missing = next((it["not_run"] for it in captures + replay if "not_run" in it), None)
        print(f"{one['key']}: {f'not run: {missing}' if missing else 'run'}", file=sys.stderr, flush=True)

    chosen = [it for it in plan["plays"] if not only or any(fnmatchcase(it["key"], name) for name in only)]
    if not chosen:
        sys.exit("--only names nothing of this kit; the names are the keys in plan.json")
    waiting = [it for it in chosen if not record.json["plays"].get(it["key"])]
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(play, waiting))
    results = [record.json["plays"][it["key"]] for it in chosen]
    entries = [entry for it in results for entry in it["captures"] + it["replay"]]
    missing = sum("not_run" in entry for entry in entries)
    print(f"{len(entries)} captures of {len(chosen)} plays: {len(entries) - missing} run, {missing} not run.")
    for file in ("manifest.json", "replay.json"):
        if (record.folder / file).exists():
            print(f"  cdc-killmatrix verify --manifest {os.path.relpath(record.folder / file)}")
    return 1 if missing else 0


def clean(workspace: Workspace, record: Record) -> int:
    """Drops the tables that a run made. 0: none is left."""
    left = []
    for table in record.json["tables"]:
        # The parts of the path are plain names.
        if workspace.owner(table.replace("`", "")) is None:
            continue
        answer = workspace.sql(f"SHOW TBLPROPERTIES {table}")
        properties = (answer.get("result") or {}).get("data_array") or []
        if [MADE_BY, record.json["made_by"]] in properties:
            workspace.sql(f"DROP TABLE {table}")
        else:
            left.append(table)
            print(f"{table} is left: it isn't the table that this run made", file=sys.stderr)
    record.json["tables"], record.json["is_cleaned"] = left, not left
    record.save()
    return 1 if left else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="kit.py", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("command", choices=["run", "clean"])
    parser.add_argument("--warehouse", default=os.environ.get("DATABRICKS_WAREHOUSE_ID"), help="the SQL warehouse's id")
    parser.add_argument("--profile", help="a profile of ~/.databrickscfg")
    parser.add_argument("--run", type=Path, default=HERE / "run", metavar="FOLDER", help="default: run")
    parser.add_argument("--only", action="append", default=[], metavar="KEY", help="plays, * allowed; repeatable")
    parser.add_argument("--jobs", type=int, default=4, metavar="N", help="plays at once (default: 4)")
    parser.add_argument("--timeout", type=float, default=1800, metavar="SECONDS", help="of an update (default: 1800)")
    parser.add_argument("--no-replay", action="store_true", help="without the replay into an empty target")
    options = parser.parse_args()
    if not options.warehouse:
        parser.error("expected --warehouse ID, or DATABRICKS_WAREHOUSE_ID")
    # Where the SDK isn't installed, the help is there all the same.
    from workspace import connect

    plan = json.loads((HERE / "plan.json").read_text("utf-8"), parse_float=Decimal)
    try:
        record = Record(options.run.resolve(), hash_of(HERE))
        there = connect(options.profile, options.warehouse, options.timeout)
        if options.command == "clean":
            return clean(there, record)
        replay = not options.no_replay
        return run(there, plan, record, options.only, max(options.jobs, 1), with_replay=replay)
    except NotRun as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
