"""Plays random histories on an engine, and compares its rows with the model's.

    python3 engines/random_histories.py --seed 1 --count 300 engines/sqlite_merge.py

The seed is printed, and gives the same histories again; those that differ are kept, as fixtures. By default no two
events of a key have one place in the sequence, and all are accepted; `--ties` and `--refusals` bring both. It needs
`cdc-killmatrix` on the path, or with `--program`.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from driver import Engine, Unsupported

SCHEMA = {"id": "INT", "region": "STRING", "v": "STRING", "u": "DOUBLE", "op": "STRING", "lsn": "BIGINT", "pos": "INT"}
TRACKS = [
    {},
    {"track_history_column_list": ["v"]},
    {"track_history_except_column_list": ["u"]},
    {"track_history_except_column_list": ["v", "u"]},
]
PLACES = [(lsn, pos) for lsn in range(1, 31) for pos in (None, 0, 1)]


def history(draw: random.Random, options: argparse.Namespace) -> dict[str, Any]:
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


def main() -> int:
    arguments = argparse.ArgumentParser(description="Plays random histories on an engine.")
    arguments.add_argument("--seed", type=int, required=True)
    arguments.add_argument("--count", type=int, default=300)
    arguments.add_argument("--ties", action="store_true", help="several events of a key at one place in the sequence")
    arguments.add_argument("--refusals", action="store_true", help="null keys and null sequences")
    arguments.add_argument("--program", default="cdc-killmatrix")
    arguments.add_argument("engine", nargs=argparse.REMAINDER, help="a file in Python, and its arguments")
    options = arguments.parse_args()
    draw, folder = random.Random(options.seed), Path(tempfile.mkdtemp(prefix="histories-"))
    paths = [folder / f"history_{number:04}.json" for number in range(1, options.count + 1)]
    (folder / "suite.json").write_text(json.dumps({"title": "Random", "audited": False}), "utf-8")
    for path in paths:
        path.write_text(json.dumps({"name": path.stem, **history(draw, options)}), "utf-8")
    expect(options.program, folder)

    differ = unsupported = 0
    with Engine(str(Path(options.engine[0]).resolve()), *options.engine[1:]) as engine:
        for path in paths:
            try:
                difference = engine.play(path)
            except Unsupported:
                unsupported += 1
                difference = None
            if difference:
                differ += 1
                print(f"{path}: {difference}")
            else:
                path.unlink()
        said = f"{engine.says['name']} {engine.says['version']}, seed {options.seed}"
    print(f"{said}: of {options.count} histories {differ} differ from the model, {unsupported} are unsupported")
    if not differ:
        (folder / "suite.json").unlink()
        folder.rmdir()
    return 5 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
