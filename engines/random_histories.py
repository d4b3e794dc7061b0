"""Plays random histories on an engine, and compares its rows with the model's.

    python3 engines/random_histories.py --seed 1 --engine 'python3 engines/sqlite_merge.py'

The seed is printed, and gives the same histories again; those that differ are kept, as fixtures. By default no two
events of a key have one place in the sequence, and all are accepted; `--ties` and `--refusals` bring both. It needs
`cdc-killmatrix` on the path, or with `--program`. Exit code 5: the engine differs.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

Fixture = dict[str, Any]

SCHEMA = {"id": "INT", "region": "STRING", "v": "STRING", "u": "DOUBLE", "op": "STRING", "lsn": "BIGINT", "pos": "INT"}
TRACKS = [
    {},
    {"track_history_column_list": ["v"]},
    {"track_history_except_column_list": ["u"]},
    {"track_history_except_column_list": ["v", "u"]},
]
PLACES = [(lsn, pos) for lsn in range(1, 31) for pos in (None, 0, 1)]


def history(draw: random.Random, options: argparse.Namespace) -> Fixture:
    """A fixture without expected rows."""
    is_struct, scd_type = draw.random() < 0.5, draw.choice([1, 2])
    flow = {
        "keys": draw.choice([["id"], ["id", "region"]]),
        "sequence_by": "struct(lsn, pos)" if is_struct else "lsn",
        "apply_as_deletes": draw.choice(["op = 'D'", "op IN ('D', 'X')"]),
        "except_column_list": ["op", "lsn", "pos"],
        "stored_as_scd_type": scd_type,
        **(draw.choice(TRACKS) if scd_type == 2 else {}),
    }
    places = PLACES if is_struct else [(lsn, None) for lsn in range(1, 91)]
    if options.ties:
        events = [event(draw, draw.choice(places[:12])) for _ in range(draw.randint(1, 20))]
    else:
        events = [event(draw, place) for place in draw.sample(places, draw.randint(1, 20))]
    if options.refusals and draw.random() < 0.1:
        draw.choice(events)[draw.choice(["id", "lsn"])] = None
    cuts = sorted(draw.randint(0, len(events)) for _ in range(draw.randint(0, 4)))
    batches = [events[start:end] for start, end in zip([0, *cuts], [*cuts, len(events)])]
    checkpoints = [{"append": batch} for batch in batches]
    return {"schema": SCHEMA, "flow": flow, "findings": ["conflict"] * options.ties, "checkpoints": checkpoints}


def event(draw: random.Random, place: tuple[int, int | None]) -> dict[str, Any]:
    return {
        "id": draw.randint(1, 2),
        "region": draw.choice(["north", "south"]),
        "v": draw.choice(["x", "y", "", None]),
        "u": draw.choice([1.5, 0.0, "NaN", None]),
        "op": draw.choice(["U", "U", "U", "D", "X", None]),
        "lsn": place[0],
        "pos": place[1],
    }


def flow_of(fixture: Fixture) -> str:
    return json.dumps(fixture["flow"], sort_keys=True)


def write(folder: Path, fixtures: list[Fixture]) -> None:
    """A suite. Those of one flow stand beside each other, as some engines open many at once and share what is equal."""
    (folder / "suite.json").write_text(json.dumps({"title": "Random", "audited": False}), "utf-8")
    for number, fixture in enumerate(sorted(fixtures, key=flow_of), 1):
        name = f"history_{number:04}"
        (folder / f"{name}.json").write_text(json.dumps({"name": name, **fixture}), "utf-8")


def expect(program: str, folder: Path) -> None:
    """Writes into each fixture what the model gives: here it is the engine that is in question."""
    rows = subprocess.run([program, "rows", folder, "--format", "json"], stdout=subprocess.PIPE, check=True).stdout
    for played in json.loads(rows):
        path = folder / f"{played['fixture']}.json"
        fixture = json.loads(path.read_text("utf-8"))
        for checkpoint, model in zip(fixture["checkpoints"], played["checkpoints"]):
            if "error" in model:
                checkpoint["expect_error"] = model["error"]["class"]
            else:
                checkpoint["expect"] = model["rows"]
        path.write_text(json.dumps(fixture, indent=1), "utf-8")


def play(options: argparse.Namespace, path: Path, form: str) -> str:
    """What the program prints of a fixture, or of a folder of them."""
    engine = ["--engine", options.engine, "--engine-timeout", str(options.engine_timeout)]
    ran = subprocess.run([options.program, "run", path, *engine, "--format", form], stdout=subprocess.PIPE, text=True)
    # Nothing printed, or 4 and more than 5: it isn't the engine that is at fault.
    if not ran.stdout or ran.returncode not in (0, 1, 2, 3, 5):
        sys.exit(f"{options.program} ends with exit code {ran.returncode}; the fixtures are in {path}")
    return ran.stdout


def told() -> argparse.Namespace:
    arguments = argparse.ArgumentParser(description="Plays random histories on an engine.")
    arguments.add_argument("--seed", type=int, required=True)
    arguments.add_argument("--count", type=int, default=300)
    arguments.add_argument("--ties", action="store_true", help="several events of a key at one place in the sequence")
    arguments.add_argument("--refusals", action="store_true", help="null keys and null sequences")
    arguments.add_argument("--program", default="cdc-killmatrix")
    arguments.add_argument("--engine", required=True, help="the command of the engine, as for `run --engine`")
    arguments.add_argument("--engine-timeout", type=int, default=600, help="seconds for an answer (default: 600)")
    return arguments.parse_args()


def kinds(fixtures: list[Fixture]) -> str:
    """How many there are of each kind."""
    counts = {"SCD type 1": 0, "SCD type 2": 0, "with tracked columns": 0}
    for fixture in fixtures:
        counts[f"SCD type {fixture['flow']['stored_as_scd_type']}"] += 1
        counts["with tracked columns"] += any(name.startswith("track") for name in fixture["flow"])
    return listed([*counts.items(), ("flows", len(set(map(flow_of, fixtures))))])


def listed(counts: list[tuple[str, int]]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts)


def main() -> int:
    options = told()
    draw, folder = random.Random(options.seed), Path(tempfile.mkdtemp(prefix="histories-"))
    fixtures = [history(draw, options) for _ in range(options.count)]
    print(f"seed {options.seed}: {kinds(fixtures)}", flush=True)
    write(folder, fixtures)
    expect(options.program, folder)

    engine = json.loads(play(options, folder, "json"))["engines"][0]
    if "failure" in engine:
        sys.exit(f"{options.engine}: {engine['failure']}; the fixtures are in {folder}")
    wrong = []
    for outcome in engine["outcomes"]:
        path = folder / f"{outcome['fixture']}.json"
        if outcome["outcome"] in ("equal", "unsupported"):
            path.unlink()
            continue
        wrong.append(path)
        at = ", ".join(map(str, outcome.get("checkpoints", [])))
        print(f"{path}: {outcome['outcome']} at {at or 'no checkpoint'} {outcome.get('reason', '')}".rstrip())
    counts = Counter(outcome["outcome"] for outcome in engine["outcomes"])
    if wrong:
        print(f"\n{play(options, wrong[0], 'text')}\n")
    else:
        (folder / "suite.json").unlink()
        folder.rmdir()
    said = f"{engine['name']} {engine['version']}, seed {options.seed}, {options.count} histories"
    print(f"{said}: {listed(list(counts.items()))}")
    return 0 if not wrong and counts["equal"] else 5


if __name__ == "__main__":
    sys.exit(main())
