#!/usr/bin/env python3
"""Answers what `cdc-killmatrix new` asks at a terminal, wrong answers among them.

    questions.py COMMAND
"""

import os
import pty
import select
import sys
import tempfile
import time
from pathlib import Path

import tutorial

# What is asked, and what is typed. A wrong answer is asked again.
TALK = [
    ("Name of the suite", "../customers"),
    ("Name of the suite", "customers"),
    ("Pipeline that fills", "pipelines/costumers.py"),
    ("Pipeline that fills", "'pipelines/customers.py'"),
    ("Columns that it reads", "customer_id BIGNT"),
    ("Columns that it reads", "customers.ddl"),
    ("Events", "none.csv"),
    ("Column that says which batch", "batch"),
    ("Events", "events.csv"),
    ("Column that says which batch", "bach"),
    ("Events", "events.csv"),
    ("Column that says which batch", "batch"),
]

# Of a suite that is there only the rest is asked.
MORE = [("Name of the suite", "customers/later"), ("Events", "")]

# How long an answer may take, in seconds.
PATIENCE = 60


def read_until(terminal: int, wanted: str) -> str:
    """What the command says, until it says this; to the end, if it is empty."""
    said, end = b"", time.monotonic() + PATIENCE
    while not wanted or wanted.encode() not in said:
        ready, _, _ = select.select([terminal], [], [], max(0, end - time.monotonic()))
        if not ready:
            sys.exit(f"`{wanted}` is not asked within {PATIENCE} s:\n{said.decode()}")
        try:
            part = os.read(terminal, 4096)
        except OSError:  # The other end of a terminal is closed so.
            part = b""
        if not part:
            break
        said += part
    if wanted.encode() not in said:
        sys.exit(f"`{wanted}` is not asked:\n{said.decode()}")
    return said.decode()


def answered(command: Path, folder: Path, talk: list[tuple[str, str]]) -> tuple[int, str]:
    """The exit code, and what is said after the last answer."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.execv(command, ["cdc-killmatrix", "new"])
    for question, answer in talk:
        read_until(terminal, question)
        os.write(terminal, f"{answer}\n".encode())
    said = read_until(terminal, "")
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), said


def main() -> None:
    command = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pipelines").mkdir()
        (folder / "pipelines/customers.py").write_text(tutorial.PIPELINE, encoding="utf-8")
        (folder / "customers.ddl").write_text(tutorial.COLUMNS, encoding="utf-8")
        (folder / "events.csv").write_text(tutorial.EVENTS, encoding="utf-8")
        for talk, fixture, line in (
            (TALK, "events.json", "--batch-by batch"),
            (MORE, "later.json", "new customers/later"),
        ):
            code, said = answered(command, folder, talk)
            made = folder / "fixtures/customers" / fixture
            if code != 0 or not made.exists() or line not in said:
                sys.exit(f"`new` exits with {code}:\n{said}")
    print("All questions are answered.")


if __name__ == "__main__":
    main()
