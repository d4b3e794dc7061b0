#!/usr/bin/env python3
"""The engine at a Spark Connect server: it plays there, and leaves it as it was.

    KILLMATRIX_SPARK/bin/python test_remote.py [COMMAND..]    the engine; by default run.sh

Needs what setup.sh installs, and starts the server itself; takes a minute.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark
from pyspark.sql.connect.session import SparkSession

from test_spark import HERE, PUBLISHED, Engine, opened, same

SPARK = Path(pyspark.__file__).parent
CLASSES = Path(sys.prefix) / "killmatrix-classes"
TOKEN = "nobody-comes-without"
PLAYED = [PUBLISHED[4], PUBLISHED[5]]  # of SCD types 1 and 2


def listens(port: int) -> bool:
    with socket.socket() as trial:
        return trial.connect_ex(("localhost", port)) == 0


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """A server with a catalog, as somebody else starts one: its address."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    conf = {
        "spark.connect.authenticate.token": TOKEN,
        "spark.connect.grpc.binding.port": port,
        "spark.driver.extraClassPath": CLASSES,
        "spark.driver.extraJavaOptions": "-XX:-UsePerfData",
        "spark.driver.host": "localhost",
        "spark.local.dir": folder,
        "spark.log.level": "OFF",
        "spark.sql.catalog.shop": "killmatrix.MemCatalog",
        "spark.sql.warehouse.dir": folder / "warehouse",
        "spark.ui.enabled": "false",
    }
    settings = [word for key, value in conf.items() for word in ("--conf", f"{key}={value}")]
    main = ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal"]
    process = subprocess.Popen(
        [SPARK / "bin" / "spark-submit", "--master", "local[2]", *settings, *main],
        stdout=(folder / "log").open("w"),
        stderr=subprocess.STDOUT,
        cwd=folder,
        env=os.environ
        | {"SPARK_HOME": str(SPARK), "SPARK_CONNECT_MODE": "0", "TMPDIR": str(folder)},
        start_new_session=True,
    )
    try:
        end = time.monotonic() + 120
        while not listens(port):
            assert process.poll() is None and time.monotonic() < end, (folder / "log").read_text()
            time.sleep(0.1)
        yield f"sc://localhost:{port}"
        assert process.poll() is None, "the server has ended"
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def namespaces(spark: SparkSession) -> list[str]:
    return [row[0] for row in spark.sql("SHOW NAMESPACES IN shop").collect()]


def is_clean(spark: SparkSession, folder: Path) -> bool:
    """Whether nothing is left, soon: another process takes away what a killed engine left."""
    for _ in range(150):
        if namespaces(spark) == ["default"] and not any(folder.iterdir()):
            return True
        time.sleep(0.1)
    return False


def play(engine: Engine) -> None:
    hello = engine.hello()
    assert hello["version"] == pyspark.__version__, hello
    plays = []
    for id, name in enumerate(PLAYED):
        told, checkpoints = opened(name)
        engine.tell(open={"id": id} | told)
        plays.append(checkpoints)
    for number in range(max(map(len, plays))):
        asked = {id: play[number] for id, play in enumerate(plays) if number < len(play)}
        for id, checkpoint in asked.items():
            engine.tell(batch={"id": id, "checkpoint": number + 1, "rows": checkpoint["append"]})
        for id, (verb, body) in engine.flush(len(asked)).items():
            at = f"{PLAYED[id]}, checkpoint {number + 1}: {body}"
            assert verb == "rows" and same(body["rows"], asked[id]["expect"]), at


def main(command: list[str]) -> None:
    os.environ["SPARK_CONNECT_AUTHENTICATE_TOKEN"] = TOKEN
    with tempfile.TemporaryDirectory() as temporary:
        folder, shared = Path(temporary) / "server", Path(temporary) / "shared"
        folder.mkdir()
        shared.mkdir()
        with server(folder) as address, SparkSession.builder.remote(address).create() as spark:
            command = [*command, "--remote", address, "--catalog", "shop", "--folder", str(shared)]
            engine = Engine(command, shared)
            play(engine)
            assert len(namespaces(spark)) == 2, namespaces(spark)
            engine.process.stdin.close()
            assert engine.process.wait(30) == 0, engine.process.returncode
            assert engine.has_left(), "a process is left"
            assert is_clean(spark, shared), (namespaces(spark), list(shared.iterdir()))
            engine.note("the end of its input")

            engine = Engine(command, shared)
            engine.hello()
            told, checkpoints = opened(PLAYED[0])
            engine.tell(open={"id": 1} | told)
            engine.tell(batch={"id": 1, "checkpoint": 1, "rows": checkpoints[0]["append"]})
            engine.tell(flush={})
            # So that there is something to stop.
            while not any(shared.glob("*/storage/_checkpoints/*")):
                assert engine.process.poll() is None, "the engine has ended"
                time.sleep(0.05)
            os.killpg(engine.process.pid, signal.SIGKILL)
            engine.process.wait()
            assert is_clean(spark, shared), (namespaces(spark), list(shared.iterdir()))
            engine.note("SIGKILL while it works")
    print("The engine at a Spark Connect server passes.")


if __name__ == "__main__":
    main(sys.argv[1:] or [str(HERE / "run.sh")])
