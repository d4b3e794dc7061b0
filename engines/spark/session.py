"""Spark itself: a JVM of our own with a Spark Connect server in it, and a client of that server.

Pipelines are a part of Spark Connect, so a classic session alone can't define one.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyspark
from pyspark import SparkContext
from pyspark.sql.connect.session import SparkSession

JARS = Path(pyspark.__file__).parent / "jars"
# setup.sh compiles them into the virtual environment.
CLASSES = Path(sys.prefix) / "killmatrix-classes"

NAMESPACE = "default"

START = time.monotonic()


def log(*words: object) -> None:
    print(f"{time.monotonic() - START:8.2f}", *words, file=sys.stderr, flush=True)


# What a target is stored in: the option's name, a jar that brings it, Spark's catalog.
DELTA = ("delta", "delta-spark*.jar", "spark_catalog")
ICEBERG = ("iceberg", "iceberg-spark-runtime*.jar", "iceberg")
MEMORY = ("memory", "", "memory")


@dataclass
class Session:
    """A session, and what a pipeline must know of it."""

    spark: SparkSession
    # Where the targets are, and the format to create them with.
    catalog: str
    namespace: str
    table_format: str | None
    # Whether there is still a Spark that could refuse anything.
    is_alive: Callable[[], bool]


def jvm_of_this_process() -> subprocess.Popen[bytes] | None:
    gateway = SparkContext._gateway
    return gateway.proc if gateway else None


def kill_jvm() -> None:
    """Nothing in it is wanted any more, and its own way to end takes seconds."""
    if jvm := jvm_of_this_process():
        # Not by Popen's methods: they have a lock, which a signal may have come into.
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(jvm.pid, signal.SIGKILL)
            os.waitpid(jvm.pid, 0)


def store(wanted: str) -> tuple[str, str, str]:
    """Which of the stores is used."""
    for one in (DELTA, ICEBERG):
        name, jar, _ = one
        if wanted == name or wanted == "auto" and any(JARS.glob(jar)):
            return one
    if not (CLASSES / "killmatrix" / "MemCatalog.class").is_file():
        sys.exit(f"{CLASSES} has no catalog; run {Path(__file__).parent / 'setup.sh'}")
    return MEMORY


# A microbatch has a handful of rows: planning is what it costs, not running. So one task a
# stage, nothing compiled for so few rows, no second look at a plan.
QUICK = {
    "spark.default.parallelism": "1",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.constraintPropagation.enabled": "false",
    "spark.sql.lightweightPlanChangeValidation": "false",
    "spark.sql.shuffle.partitions": "1",
    # How many pools are carried out at once.
    "spark.sql.pipelines.execution.maxConcurrentFlows": "4",
    # Spark looks at its streams once a second where nothing is said.
    "spark.sql.pipelines.execution.streamstate.pollingInterval": "0",
    # What is refused once is refused again.
    "spark.sql.pipelines.maxFlowRetryAttempts": "0",
    "spark.sql.streaming.checkpoint.fileChecksum.enabled": "false",
    # The default one starts a process to read each link.
    "spark.sql.streaming.checkpointFileManagerClass": "org.apache.spark.sql.execution."
    "streaming.checkpointing.FileSystemBasedCheckpointFileManager",
    "spark.sql.streaming.numRecentProgressUpdates": "1",
    "spark.sql.streaming.ui.enabled": "false",
}
UTC = {"spark.sql.session.timeZone": "UTC"}


def configuration(folder: Path, store: tuple[str, str, str], log_level: str) -> dict[str, str]:
    # The JVM is killed in the end, so what it leaves must lie in our own folder.
    java = f"-XX:+UseSerialGC -XX:-UsePerfData -Xss8m -Djava.io.tmpdir={folder} -Duser.timezone=UTC"
    plain = {
        "spark.connect.grpc.binding.port": "0",
        "spark.driver.extraJavaOptions": java,
        "spark.driver.host": "localhost",
        "spark.local.dir": f"{folder}/local",
        "spark.log.level": log_level,
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    stores = {
        DELTA: {
            "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
            "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        },
        ICEBERG: {
            "spark.sql.extensions": "org.apache.iceberg.spark.extensions."
            "IcebergSparkSessionExtensions",
            "spark.sql.catalog.iceberg": "org.apache.iceberg.spark.SparkCatalog",
            "spark.sql.catalog.iceberg.type": "hadoop",
            "spark.sql.catalog.iceberg.warehouse": f"{folder}/iceberg",
        },
        MEMORY: {
            "spark.driver.extraClassPath": str(CLASSES),
            "spark.sql.catalog.memory": "killmatrix.MemCatalog",
        },
    }
    return plain | QUICK | UTC | stores[store]


def start(options: Namespace, folder: Path) -> Session:
    """A session whose files are in a folder."""
    stored = store(options.table_format)
    name, _, catalog = stored
    if name == "memory" and not options.master.startswith("local"):
        sys.exit(f"--master {options.master} needs --table-format delta or iceberg")
    conf = configuration(folder, stored, options.log_level)
    for setting in options.conf:
        key, _, value = setting.partition("=")
        conf[key] = value
    os.environ |= {"SPARK_LOCAL_REMOTE": "1", "SPARK_CONNECT_MODE_ENABLED": "1"}
    # PySpark's own way to a local server; the public one has a fixed port.
    SparkSession._start_connect_server(options.master, conf)
    services = SparkContext._jvm.org.apache.spark.sql.connect.service
    service = getattr(getattr(services, "SparkConnectService$"), "MODULE$")
    spark = SparkSession.builder.remote(f"sc://localhost:{service.localPort()}").getOrCreate()
    jvm = jvm_of_this_process()
    assert jvm is not None
    table_format = None if name == "memory" else name
    return Session(spark, catalog, NAMESPACE, table_format, lambda: jvm.poll() is None)
