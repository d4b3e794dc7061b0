"""Apache Spark's own AUTO CDC as an engine of killmatrix: JSON lines in, JSON lines out.

Start it by run.sh; README.md beside it says how it works.
"""

from __future__ import annotations

import argparse
import decimal
import json
import logging
import os
import signal
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn, TextIO

import remote
import session
from fixtures import Fixtures
from pools import CLAUSES
from session import log

HELLO = {
    "protocol": 1,
    "name": "Apache Spark",
    "scd_types": [1, 2],
    "at_once": 64,
    "clauses": [*CLAUSES, "full_refresh"],
}

HERE = Path(__file__).parent
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Engine:
    """The process: its pipes, its folder, its JVM, and how they end."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        # Answers alone go to standard output; what Spark and its JVM say goes to standard error.
        self.answers: TextIO = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        self.folder = Path(tempfile.mkdtemp(prefix="killmatrix-spark-", dir=options.folder))
        # What this process leaves when it is killed is taken away by another, outside its group.
        self.keeper = subprocess.Popen(
            [sys.executable, "-W", "ignore", HERE / "keeper.py", self.folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )
        self.fixtures: Fixtures | None = None
        self.is_starting = False
        self.told_by: int | None = None
        for number in SIGNALS:
            signal.signal(number, self.told_to_end)

    def told_to_end(self, number: int, _: FrameType | None) -> None:
        self.told_by = number
        # A JVM that is just being started isn't known yet, so it couldn't be ended. A server is
        # never called from here, where another call may be under way: the keeper does that.
        if not self.is_starting:
            self.end(128 + number)

    def end(self, code: int) -> NoReturn:
        """Ends with nothing left: no JVM, no file."""
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        # That the JVM is gone is no news.
        logging.disable()
        session.kill_jvm()
        self.keeper.stdin.close()
        code = self.keeper.wait() or code
        # The threads of Spark Connect's client would keep Python alive.
        os._exit(code)

    def say(self, answer: dict[str, Any]) -> None:
        self.answers.write(json.dumps(answer, ensure_ascii=False, allow_nan=False) + "\n")
        self.answers.flush()

    def hello(self) -> None:
        """Says hello when Spark is up: an engine that can't start doesn't answer."""
        if self.fixtures is None:
            self.is_starting = not self.options.remote
            if self.options.remote:
                started = remote.start(self.options, self.folder, self.keeper.stdin)
            else:
                started = session.start(self.options, self.folder)
            self.is_starting = False
            if self.told_by:
                self.end(128 + self.told_by)
            self.fixtures = Fixtures(started, self.folder, separate=self.options.separate)
            log("the session is up")
        version = self.fixtures.session.spark.version
        self.say({"hello": HELLO | {"version": version}})

    def do(self, verb: str, body: dict[str, Any]) -> None:
        match verb, self.fixtures:
            case "hello", _:
                self.hello()
            case "open", Fixtures() as fixtures:
                fixtures.open(body)
            case "batch", Fixtures() as fixtures:
                fixtures.batch(body)
            case "flush", Fixtures() as fixtures:
                for answer in fixtures.flush():
                    self.say(answer)
            case "close", Fixtures() as fixtures:
                fixtures.close(body)
            case _:
                raise ValueError(f"what does {verb!r} ask for here?")

    def run(self) -> NoReturn:
        try:
            for line in sys.stdin:
                # A DECIMAL must not pass through a float.
                for verb, body in json.loads(line, parse_float=decimal.Decimal).items():
                    self.do(verb, body)
        except SystemExit as error:
            # What is missing is said in a line.
            print(error, file=sys.stderr, flush=True)
            self.end(1)
        except BaseException:
            traceback.print_exc()
            self.end(1)
        self.end(0)


def main() -> NoReturn:
    parser = argparse.ArgumentParser(prog="run.sh", description=__doc__)
    add = parser.add_argument
    add("--master", help="Spark's master (default: local[2])")
    add("--remote", metavar="sc://HOST:PORT", help="a Spark Connect server that is running already")
    add("--catalog", help="the server's catalog for the targets (default: its current one)")
    add("--folder", type=Path, help="where files are, which the server reads (default: TMPDIR)")
    formats = ["auto", "delta", "iceberg", "memory"]
    add("--table-format", choices=formats, default="auto", help="what the targets are stored in")
    add("--separate", action="store_true", help="a target of its own for each fixture: slow")
    add("--conf", action="append", default=[], metavar="KEY=VALUE", help="a setting of Spark's")
    add("--log-level", default="OFF", help="Spark's log level (default: OFF)")
    options = parser.parse_args()
    if options.remote and options.master:
        parser.error("--remote and --master: expected one of them")
    if options.catalog and not options.remote:
        parser.error("--catalog is for --remote")
    if options.folder and not options.folder.is_dir():
        parser.error(f"{options.folder} is no folder")
    options.folder = options.folder and options.folder.resolve()
    options.master = options.master or "local[2]"
    logging.getLogger("pyspark").setLevel(logging.CRITICAL)
    Engine(options).run()


if __name__ == "__main__":
    main()
