"""Apache Spark in the place of a workspace, for the kit that `export-kit` writes.

A source is a Parquet table of Spark's own catalog, a target a table of the catalog in memory, which has row-level
operations; an update is what `spark-pipelines run` does with the kit's own definition.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

from play import Failed, NotRun
from pyspark.pipelines.cli import LibrariesGlob, PipelineSpec, register_definitions
from pyspark.pipelines.spark_connect_graph_element_registry import SparkConnectGraphElementRegistry
from pyspark.pipelines.spark_connect_pipeline import create_dataflow_graph, start_run
from pyspark.sql import types

from session import NAMESPACE, Session
from values import decode, quoted

Json = dict[str, Any]


class SparkWorkspace:
    """What the kit asks of a workspace, answered by a session."""

    def __init__(self, session: Session, kit: Path, plan: Json, storage: Path) -> None:
        self.session, self.kit, self.storage = session, kit, storage
        self.plays: dict[str, Json] = {it["pipeline"]: it for it in plan["plays"]}

    def sql(self, statement: str, **parameters: str) -> Json:
        # The target is where row-level operations are.
        statement = re.sub(r"FROM `spark_catalog`\.`default`\.", f"FROM `{self.session.catalog}`.`default`.", statement)
        try:
            frame = self.session.spark.sql(statement, parameters or None)
            rows = [[spelt(value) for value in row.values()] for row in frame.toArrow().to_pylist()]
        except Exception as error:
            raise NotRun(str(error)) from error
        columns = [
            {"name": field.name, "type_text": declared(field.dataType), "position": place}
            for place, field in enumerate(frame.schema.fields)
        ]
        return {
            "status": {"state": "SUCCEEDED"},
            "manifest": {
                "format": "JSON_ARRAY",
                "schema": {"columns": columns},
                "total_row_count": len(rows),
                "truncated": False,
            },
            "result": {"data_array": rows},
        }

    def pipeline(self, name: str, catalog: str, schema: str, configuration: dict[str, str]) -> str:
        for key, value in configuration.items():
            self.session.spark.conf.set(f"{name}/{key}", value)
        return name

    def owner(self, table: str) -> str | None:
        catalog = self.session.catalog if table.endswith("_target") else "spark_catalog"
        name = table.replace("spark_catalog.", f"{catalog}.")
        return "" if self.session.spark.catalog.tableExists(name) else None

    def update(self, pipeline: str, *, full_refresh: bool = False, reset: str | None = None) -> None:
        play, spark = self.plays[pipeline], self.session.spark
        if full_refresh:
            # The catalog in memory can't truncate.
            for name in (play["target_table"], f"__spark_autocdc_aux_state_{play['target_table']}"):
                spark.sql(f"DROP TABLE IF EXISTS {self.session.catalog}.{NAMESPACE}.{name}").collect()
        if full_refresh or reset:
            shutil.rmtree(self.storage / play["key"], ignore_errors=True)
        for key in ("cdc.source_table", "cdc.target_table"):
            spark.conf.set(key, spark.conf.get(f"{pipeline}/{key}"))
        storage = (self.storage / play["key"]).as_uri()
        spec = PipelineSpec(
            name=pipeline,
            storage=storage,
            catalog=self.session.catalog,
            database=NAMESPACE,
            configuration={},
            libraries=[LibrariesGlob(play["definition"])],
        )
        try:
            graph = create_dataflow_graph(spark, self.session.catalog, NAMESPACE, {})
            registry = SparkConnectGraphElementRegistry(spark, graph)
            register_definitions(self.kit / "pipeline.yml", registry, spec, spark, graph)
            run = start_run(
                spark,
                graph,
                full_refresh=[],
                full_refresh_all=False,
                refresh=[],
                dry=False,
                storage=storage,
            )
            for _ in run:
                pass
        except Exception as error:
            text = str(error)
            classes = re.findall(r"\[([A-Z][A-Z0-9_]*(?:\.[A-Z0-9_]+)*)\]", text)
            raise Failed(classes, text.splitlines()[0]) from error


def declared(of: types.DataType) -> str:
    """A type as SQL declares it, with the names of fields in backticks."""
    match of:
        case types.StructType():
            fields = (f"{quoted(field.name)}: {declared(field.dataType)}" for field in of.fields)
            return f"STRUCT<{', '.join(fields)}>"
        case types.ArrayType():
            return f"ARRAY<{declared(of.elementType)}>"
        case types.MapType():
            return f"MAP<{declared(of.keyType)}, {declared(of.valueType)}>"
        case _:
            return of.simpleString().upper()


def spelt(value: Any) -> str | None:
    """A value as the Statement Execution API spells it: all are texts, with JSON in those of nested ones."""
    match value:
        case None | str():
            return value
        case bool():
            return "true" if value else "false"
        case dict() | list():
            return json.dumps(decode(value), ensure_ascii=False)
        case _:
            return str(decode(value))
