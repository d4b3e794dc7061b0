"""Updates of pipelines: every pool that has a batch, in one."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import Any

from pyspark import pipelines as dp
from pyspark.pipelines.graph_element_registry import graph_element_registration_context
from pyspark.pipelines.spark_connect_graph_element_registry import (
    SparkConnectGraphElementRegistry,
)
from pyspark.pipelines.spark_connect_pipeline import create_dataflow_graph, start_run
from pyspark.sql.connect.dataframe import DataFrame

from pools import HIDDEN, Pool, Row
from reasons import Failed, Reason, Refused, line_of, reason, reason_of_event
from session import Session, log


class Pipelines:
    """Pools on a session: each update is a triggered one of a pipeline that is defined anew."""

    def __init__(self, session: Session, folder: Path) -> None:
        self.session, self.folder = session, folder

    def update(self, pools: list[Pool]) -> dict[Pool, Reason | None]:
        """Carries out what the pools have written; which are left, and why as far as known.

        A refusal of one stream ends the update, and the others may be through or not: what a stream
        has committed is what counts.
        """
        began = time.monotonic()
        events, error = self.run(pools, dry=False)
        left: dict[Pool, Reason | None] = {}
        for pool in pools:
            if pool.has_passed():
                pool.is_made = True
            elif len(pools) == 1:
                left[pool] = reason(error or Failed("the update ended without the microbatch"))
            else:
                # The run's error is of one flow; the events name theirs.
                left[pool] = reason_of_event(events, pool.name)
        why = [it.cls if isinstance(it, Refused) else it and "failed" for it in left.values()]
        log(f"update of {len(pools)} pools: {time.monotonic() - began:.2f} s, left: {why}")
        return left

    def is_broken(self, pool: Pool) -> bool:
        """Whether not even a microbatch without rows passes."""
        try:
            pool.write([])
        except OSError:
            return True
        return pool in self.update([pool])

    def reason_against(self, pool: Pool) -> Reason | None:
        """Why a pool's flow isn't taken, by a dry run of it alone, which reads no rows."""
        _, error = self.run([pool], dry=True)
        return reason(error) if error else None

    def run(self, pools: list[Pool], *, dry: bool) -> tuple[list[str], Exception | None]:
        """The events of an update, and the error that ended it."""
        events: list[str] = []
        spark = self.session.spark
        graph = create_dataflow_graph(spark, self.session.catalog, self.session.namespace, {})
        try:
            with graph_element_registration_context(SparkConnectGraphElementRegistry(spark, graph)):
                for pool in pools:
                    self.define(pool)
            for answer in start_run(
                spark,
                graph,
                full_refresh=[],
                full_refresh_all=False,
                refresh=[],
                dry=dry,
                storage=(self.folder / "storage").as_uri(),
            ):
                if "pipeline_event_result" in answer:
                    events.append(answer["pipeline_event_result"].event.message)
        except Exception as error:
            # An engine that is gone refuses nothing.
            if not self.session.is_alive():
                raise
            return events, error
        return events, None

    def define(self, pool: Pool) -> None:
        """What stands in the file of a pipeline."""

        def source() -> DataFrame:
            stream = self.session.spark.readStream.schema(pool.source)
            return stream.parquet(pool.folder.as_uri())

        table_format = self.session.table_format
        stored: dict[str, Any] = {"format": table_format} if table_format else {}
        dp.temporary_view(name=f"source_{pool.name}")(source)
        dp.create_streaming_table(pool.name, **stored)
        dp.create_auto_cdc_flow(target=pool.name, source=f"source_{pool.name}", **pool.arguments)

    def read(self, pool: Pool) -> dict[int, list[Row]] | Failed:
        try:
            table = self.session.spark.table(self.path_of(pool.name))
            return pool.rows_of(table.toArrow())
        except Exception as error:
            if not self.session.is_alive():
                raise
            return Failed(f"the target can't be read: {line_of(str(error))}")

    def drop(self, pool: Pool) -> None:
        for name in (pool.name, f"{HIDDEN}aux_state_{pool.name}") if pool.is_made else ():
            try:
                self.session.spark.sql(f"DROP TABLE IF EXISTS {self.path_of(name)}").collect()
            except Exception as error:
                if not self.session.is_alive():
                    raise
                log(f"{name} is left: {line_of(str(error))}")
        for folder in (pool.folder, pool.stream.parent.parent):
            shutil.rmtree(folder, ignore_errors=True)

    def path_of(self, table: str) -> str:
        return f"`{self.session.catalog}`.`{self.session.namespace}`.{table}"
