"""A Spark Connect server that somebody else has started, and goes on when the engine is gone."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
import uuid
from argparse import Namespace
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from pyspark.errors import PySparkException
from pyspark.sql.connect.client.retries import DefaultPolicy
from pyspark.sql.connect.session import SparkSession

from session import QUICK, UTC, Session, log

# Spark's client knocks for ten minutes at a server that is gone. This is seconds.
POLICY = DefaultPolicy(max_retries=4)


@dataclass(frozen=True)
class Server:
    """A server, and what of it is the engine's own: a session, and a namespace for the tables."""

    address: str
    session_id: str
    catalog: str
    namespace: str

    @property
    def place(self) -> str:
        return f"`{self.catalog}`.`{self.namespace}`"

    def take_away(self) -> None:
        """Ends what still runs in the session, then drops the tables; or says what is left."""
        spark = connected(self.address, self.session_id)
        # There may be no such session any more.
        with contextlib.suppress(PySparkException):
            spark.interruptAll()
        spark.stop()
        spark = connected(self.address)
        try:
            spark.sql(f"DROP NAMESPACE IF EXISTS {self.place} CASCADE").collect()
        except PySparkException as error:
            sys.exit(f"{self.address}: {self.place} can't be dropped: {reason(error)}")
        finally:
            spark.stop()


def connected(address: str, session_id: str | None = None) -> SparkSession:
    if session_id:
        host = re.fullmatch(r"sc://[^/]*", address)
        address = f"{address}{'/' if host else ''};session_id={session_id}"
    spark = SparkSession.builder.remote(address).create()
    spark.client.set_retry_policies([POLICY])
    return spark


def is_alive(spark: SparkSession) -> bool:
    with contextlib.suppress(PySparkException):
        return spark.range(1).count() == 1
    return False


def reason(error: Exception) -> str:
    """What is wrong, in a line."""
    details = re.search(r'details = "(.*)"', str(error))
    return details[1] if details else str(error).strip().split("\n")[0]


def start(options: Namespace, folder: Path, keeper: IO[bytes]) -> Session:
    """A session on the server, which has the folder as well. The keeper is told of it."""
    # What reads types asks a session for it: this one.
    os.environ["SPARK_CONNECT_MODE_ENABLED"] = "1"
    unique = uuid.uuid4()
    try:
        spark = connected(options.remote, str(unique))
        catalog = options.catalog or spark.catalog.currentCatalog()
        log(f"at Apache Spark {spark.version}")
    except PySparkException as error:
        sys.exit(f"{options.remote} doesn't answer: {reason(error)}")
    server = Server(options.remote, str(unique), catalog, f"killmatrix_{unique.hex}")
    keeper.write(f"{json.dumps(asdict(server))}\n".encode())
    for key, value in (QUICK | UTC).items():
        # The others are the server's own.
        if spark.conf.isModifiable(key):
            spark.conf.set(key, value)
    for setting in options.conf:
        key, _, value = setting.partition("=")
        spark.conf.set(key, value)
    probe = folder / "probe"
    probe.write_text(unique.hex, "utf-8")
    try:
        seen = [row.value for row in spark.read.text(probe.as_uri()).collect()]
    except PySparkException:
        seen = []
    if seen != [unique.hex]:
        sys.exit(f"{options.remote} doesn't see {folder}; --folder names one that both have")
    try:
        spark.sql(f"CREATE NAMESPACE {server.place}").collect()
    except PySparkException as error:
        sys.exit(f"{options.remote} takes no table in the catalog {catalog}: {reason(error)}")
    table_format = {"auto": None, "memory": None}.get(options.table_format, options.table_format)
    return Session(spark, catalog, server.namespace, table_format, lambda: is_alive(spark))
