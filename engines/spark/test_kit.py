#!/usr/bin/env python3
"""Plays a workspace kit on Apache Spark: its own files, with Spark in the place of the workspace.

    python3 test_kit.py [COMMAND..]    the program; by default that of target/debug

`export-kit` writes a kit; its `play.py` plays it; its definitions are read by what `spark-pipelines` reads them with,
and its statements are carried out by Spark's SQL. `verify` compares what is left. Needs what setup.sh installs, and
takes some minutes.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import tempfile
import traceback
from argparse import Namespace
from decimal import Decimal
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
SPARK = Path(os.environ.get("KILLMATRIX_SPARK", TARGET / "spark"))

FIXTURES = [
    "customers_current/sequence_tie",
    "customers_current/null_key",
    "customer_history/users_scd2",
    "hostile/values",
]

PLAYS = [it.replace("/", "_") for it in FIXTURES] + ["customers_current_sequence_tie_arrival_order"]

# Every form of a value, and texts that would leave their quotes if something were built of them.
TEXT = "'); DROP TABLE x; -- \\' \" ` ${var.x} {{y}} :rows \n\u00e9\u6771"
ROW = {
    "id": 1,
    "it`s": TEXT,
    "flag": True,
    "big": 9007199254740993,
    "price": "12345678901234567890.0123456789",
    "ratio": "NaN",
    "data": "AP8nYA==",
    "day": "2024-02-29",
    "at": "2024-02-29T12:30:00.123456Z",
    "local": "2024-02-29T12:30:00.5",
    "parts": [{"a'b": TEXT, "n": "1.50", "on": True}, None],
    "tags": [["k'1", 1], ["\\", None]],
}
VALUES = {
    "name": "values",
    "source": "own",
    "schema": {
        "id": "BIGINT",
        "it`s": "STRING",
        "flag": "BOOLEAN",
        "big": "BIGINT",
        "price": "DECIMAL(38,10)",
        "ratio": "DOUBLE",
        "data": "BINARY",
        "day": "DATE",
        "at": "TIMESTAMP",
        "local": "TIMESTAMP_NTZ",
        "parts": "ARRAY<STRUCT<`a'b`: STRING, n: DECIMAL(5,2), on: BOOLEAN>>",
        "tags": "MAP<STRING, INT>",
        "seq": "INT",
    },
    "flow": {"keys": ["id"], "sequence_by": "seq", "except_column_list": ["seq"]},
    "checkpoints": [
        {"append": [ROW | {"seq": 1}], "expect": [ROW]},
        {"append": [{"id": 2, "seq": 1}], "full_refresh": True, "expect": [dict.fromkeys(ROW) | {"id": 2}]},
    ],
}


def export(command: list[str], folder: Path) -> Path:
    """A kit of some fixtures, and of one broken copy."""
    (folder / "hostile").mkdir()
    (folder / "hostile" / "values.json").write_text(json.dumps(VALUES), "utf-8")
    paths = [str((folder if it.startswith("hostile") else ROOT / "fixtures") / f"{it}.json") for it in FIXTURES]
    told = ["--catalog", "spark_catalog", "--schema", "default", "--mutants=arrival_order"]
    subprocess.run([*command, "export-kit", "kit", *paths, *told], cwd=folder, check=True)
    return folder / "kit"


def verify(command: list[str], manifest: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*command, "verify", "--manifest", str(manifest), "--format", "json"], capture_output=True, text=True)


def play(command: list[str], folder: Path) -> None:
    kit = export(command, folder)
    sys.path[:0] = [str(kit), str(HERE)]
    from on_spark import SparkWorkspace
    from play import Record, hash_of
    from session import kill_jvm, start

    import kit as program

    options = Namespace(table_format="memory", master="local[2]", log_level="OFF", conf=[])
    session = start(options, folder / "spark")
    try:
        plan = json.loads((kit / "plan.json").read_text("utf-8"), parse_float=Decimal)
        record = Record(kit / "run", hash_of(kit))
        workspace = SparkWorkspace(session, kit, plan, folder / "storage")
        assert program.run(workspace, plan, record, PLAYS, 1, with_replay=True) == 0
        compare(command, record.folder)
        made = len(record.json["tables"])
        assert made == len(PLAYS), made
        assert program.clean(workspace, record) == 0 and record.json["tables"] == []
    finally:
        kill_jvm()
    print("The kit passes on Apache Spark.", flush=True)


def compare(command: list[str], run: Path) -> None:
    """The run is as the model says, with the refused null key and the cells of the broken copy; so is the replay."""
    entries = json.loads((run / "manifest.json").read_text("utf-8"))["captures"]
    refused = [it for it in entries if "refused" in it]
    assert refused and all("NULL_KEY: " in it["refused"] for it in refused), refused
    done = verify(command, run / "manifest.json")
    assert done.returncode == 0, done.stdout + done.stderr
    outcome = json.loads(done.stdout)["run"]
    assert {it["outcome"] for it in outcome["outcomes"]} == {"equal"}, outcome
    cells = [(it["mutant"], it["fixture"], it["model"], it["engine"]) for it in outcome["mutants"]]
    assert cells == [("arrival_order", "sequence_tie", "caught", "caught")], cells
    done = verify(command, run / "replay.json")
    assert done.returncode == 0, done.stdout + done.stderr


def test_kit() -> None:
    main([str(TARGET / "debug" / "cdc-killmatrix")])


def main(command: list[str]) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        (Path(temporary) / "spark").mkdir()
        play(command, Path(temporary))


if __name__ == "__main__":
    python = SPARK / "bin" / "python"
    if Path(sys.prefix).resolve() != SPARK.resolve():
        if not python.is_file():
            sys.exit(f"there is no PySpark in {SPARK}; run {HERE / 'setup.sh'}")
        os.execv(python, [str(python), "-W", "ignore::FutureWarning", *sys.argv])
    code = 1
    try:
        main([str(Path(it).resolve()) for it in sys.argv[1:]] or [str(TARGET / "debug" / "cdc-killmatrix")])
        code = 0
    except Exception:
        traceback.print_exc()
    # The threads of Spark Connect's client would keep Python alive.
    os._exit(code)
