"""Makes the files of Parquet beside it, with writers that are not killmatrix.

    python3 -m venv venv && venv/bin/pip install pyarrow==26.0.0 pyspark==4.3.0    # and Java 17
    venv/bin/python make.py

The files are kept, so that tests need neither. `toys` is the target of the fixture in ../main.rs after its last
checkpoint; `kinds` has a column of each type, and its rows stand in ../parquet.rs, typed by hand.
"""

import datetime as dt
import decimal
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

HERE = Path(__file__).parent
UTC = dt.timezone.utc
DECIMAL = decimal.Decimal

# Before 1970, and with microseconds.
MOMENT = dt.datetime(1969, 12, 31, 23, 59, 59, 123456)
FAR = dt.datetime(9999, 12, 31, 23, 59, 59, 999999)

KINDS = {
    "id": [1, 2, 3],
    "truth": [True, False, None],
    "tiny": [-128, 127, None],
    "small": [-32768, 32767, None],
    "whole": [-(2**31), 2**31 - 1, None],
    "big": [-(2**63), 2**63 - 1, None],
    "single": [0.1, float("nan"), None],
    "double": [-0.0, float("nan"), float("-inf")],
    "exact": [DECIMAL("-1234567890123456789012345678.0123456789"), DECIMAL("0.0000000001"), None],
    "text": ["Zoë 😀 \u0000\n", "", None],
    "bytes": [b"\x00\xff", b"", None],
    "day": [dt.date(1969, 12, 31), dt.date(1, 1, 1), dt.date(9999, 12, 31)],
    "at": [MOMENT, FAR, None],
    "local": [MOMENT, FAR, None],
    "place": [{"floor": 3, "Open Door": None}, {"floor": None, "Open Door": False}, None],
    "tags": [["x", None], [], None],
    "sizes": [[("w", 1.5), ("h", None)], [], None],
}

ARROW = pa.schema(
    [
        ("id", pa.int64()),
        ("truth", pa.bool_()),
        ("tiny", pa.int8()),
        ("small", pa.int16()),
        ("whole", pa.int32()),
        ("big", pa.int64()),
        ("single", pa.float32()),
        ("double", pa.float64()),
        ("exact", pa.decimal128(38, 10)),
        ("text", pa.string()),
        ("bytes", pa.binary()),
        ("day", pa.date32()),
        ("at", pa.timestamp("us", tz="UTC")),
        ("local", pa.timestamp("us")),
        ("place", pa.struct([("floor", pa.int32()), ("Open Door", pa.bool_())])),
        ("tags", pa.list_(pa.string())),
        ("sizes", pa.map_(pa.string(), pa.float64())),
    ]
)

TOYS = pa.schema(
    [("id", pa.int64()), ("name", pa.string()), ("shop", pa.string()), ("price", pa.decimal128(6, 2))]
)
TOYS_ROWS = {
    "id": [2, 1],
    "name": ["", "ball"],
    "shop": [None, "Nice"],
    "price": [DECIMAL("10.00"), DECIMAL("2.50")],
}


def by_arrow() -> None:
    """Files without anything of Spark's, one for each compression that is read."""
    kinds = pa.table({**KINDS, "at": [at and at.replace(tzinfo=UTC) for at in KINDS["at"]]}, schema=ARROW)
    pq.write_table(kinds, HERE / "kinds.parquet", compression="zstd", store_schema=False)
    toys = pa.table(TOYS_ROWS, schema=TOYS)
    for compression in ["none", "gzip", "snappy", "zstd", "lz4"]:
        pq.write_table(toys, HERE / f"toys_{compression}.parquet", compression=compression)
    pq.write_table(toys.slice(0, 0), HERE / "toys_no_rows.parquet")
    pq.write_table(toys.drop_columns(["shop"]), HERE / "toys_without_shop.parquet")
    pq.write_table(toys.append_column("colour", [["red", "red"]]), HERE / "toys_with_colour.parquet")
    pq.write_table(toys.set_column(0, "id", [pa.array([2, 1], pa.int32())]), HERE / "toys_int.parquet")
    # Wider types, which hold the same values; whoever reads them must not lose a digit.
    nanoseconds = pa.table(
        {"id": [1, 2], "at": pa.array([-876_544_000, -876_544_001], pa.timestamp("ns", tz="UTC"))}
    )
    pq.write_table(nanoseconds, HERE / "nanoseconds.parquet")
    # Times in 96 bits inside other values, between those of other types.
    far = FAR.replace(tzinfo=UTC)
    moment = pa.timestamp("us", tz="UTC")
    nested = pa.table(
        {"id": [1], "seen": [{"count": 7, "at": far}], "times": [[far, None]], "small": [9]},
        schema=pa.schema(
            [
                ("id", pa.int64()),
                ("seen", pa.struct([("count", pa.int32()), ("at", moment)])),
                ("times", pa.list_(moment)),
                ("small", pa.int16()),
            ]
        ),
    )
    pq.write_table(nested, HERE / "int96_nested.parquet", use_deprecated_int96_timestamps=True)
    # As Spark notes that days are in the Julian calendar.
    julian = toys.replace_schema_metadata({"org.apache.spark.legacyDateTime": ""})
    pq.write_table(julian, HERE / "julian.parquet")
    pq.write_table(kinds.select(["id", "text"]).rename_columns(["id", "ID"]), HERE / "twice.parquet")


def by_spark() -> None:
    """Folders as Spark writes them, with its schema in the metadata, and times as INT96 too."""
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )
    rows = list(zip(*({**KINDS, "at": [at and at.replace(tzinfo=UTC) for at in KINDS["at"]]}).values()))
    rows = [
        tuple(dict(it) if name == "sizes" and it is not None else it for name, it in zip(KINDS, row)) for row in rows
    ]
    kinds = spark.createDataFrame(
        rows,
        "id BIGINT, truth BOOLEAN, tiny TINYINT, small SMALLINT, whole INT, big BIGINT, single FLOAT, double DOUBLE, "
        "exact DECIMAL(38,10), text STRING, bytes BINARY, day DATE, at TIMESTAMP, local TIMESTAMP_NTZ, "
        "place STRUCT<floor: INT, `Open Door`: BOOLEAN>, tags ARRAY<STRING>, sizes MAP<STRING, DOUBLE>",
    )
    toys = spark.createDataFrame(
        list(zip(*TOYS_ROWS.values())), "id BIGINT, name STRING, shop STRING, price DECIMAL(6,2)"
    )
    variant = toys.selectExpr("id", "parse_json(name) AS name", "shop", "price")
    for name, frame, times in [
        ("spark_kinds", kinds.coalesce(1), "TIMESTAMP_MICROS"),
        ("spark_int96", kinds.select("id", "at").coalesce(1), "INT96"),
        ("spark_toys", toys.repartition(2, "id"), "TIMESTAMP_MICROS"),
        ("spark_no_rows", toys.where("id = 0").coalesce(1), "TIMESTAMP_MICROS"),
        ("spark_variant", variant.where("id = 0").coalesce(1), "TIMESTAMP_MICROS"),
    ]:
        spark.conf.set("spark.sql.parquet.outputTimestampType", times)
        shutil.rmtree(HERE / name, ignore_errors=True)
        frame.write.parquet(str(HERE / name))
        # The names have an identifier that is another each time; and checksums would not follow.
        for crc in (HERE / name).glob(".*.crc"):
            crc.unlink()
        for number, part in enumerate(sorted((HERE / name).glob("part-*"))):
            part.rename(part.with_name(f"part-{number:05}.snappy.parquet"))
    spark.stop()


if __name__ == "__main__":
    by_arrow()
    by_spark()
