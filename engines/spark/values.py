"""Values as fixtures write them, and as pyarrow takes them and gives them."""

from __future__ import annotations

import base64
import datetime as dt
import decimal
import math
import re
from typing import Any

from pyspark.sql import types as spark

EPOCH = dt.datetime(1970, 1, 1)
TIME = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)"
    r"(?:[T ](?P<hours>\d\d):(?P<minutes>\d\d)(?::(?P<seconds>\d\d)(?:\.(?P<fraction>\d{1,6}))?)?)?"
    r" *(?P<zone>Z|[+-]\d\d:?\d\d)?"
)


def microseconds(text: str) -> int:
    """Microseconds since 1970 of a TIMESTAMP or a TIMESTAMP_NTZ; a time without a zone is UTC's."""
    match = TIME.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no time")
    part = match.groupdict(default="0")
    time = dt.datetime.fromisoformat(part["day"]) + dt.timedelta(
        hours=int(part["hours"]),
        minutes=int(part["minutes"]),
        seconds=int(part["seconds"]),
        microseconds=int(part["fraction"].ljust(6, "0")),
    )
    zone = part["zone"]
    if zone not in ("0", "Z"):
        ahead = dt.timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))
        time += -ahead if zone[0] == "+" else ahead
    return (time - EPOCH) // dt.timedelta(microseconds=1)


def encode(value: Any, of: spark.DataType) -> Any:
    """A fixture's value as what pyarrow takes for a type of Spark's."""
    if value is None:
        return None
    match of:
        case spark.StructType():
            given = {name.lower(): member for name, member in value.items()}
            return {
                field.name: encode(given.get(field.name.lower()), field.dataType)
                for field in of.fields
            }
        case spark.ArrayType():
            return [encode(element, of.elementType) for element in value]
        case spark.MapType():
            return [(encode(key, of.keyType), encode(it, of.valueType)) for key, it in value]
        case spark.BinaryType():
            return base64.b64decode(value)
        case spark.DecimalType():
            # 38 digits are the most that Spark has; Python's own default is 28.
            digit = decimal.Decimal(1).scaleb(-of.scale)
            return decimal.Decimal(value).quantize(digit, context=decimal.Context(prec=60))
        case spark.FloatType() | spark.DoubleType():
            return float(value)
        case spark.DateType():
            return (dt.date.fromisoformat(value) - EPOCH.date()).days
        case spark.TimestampType() | spark.TimestampNTZType():
            return microseconds(value)
        case spark.IntegralType():
            return int(value)
        case _:
            return value


def decode(value: Any) -> Any:
    """A value of pyarrow's as fixtures write it."""
    match value:
        case float() if math.isnan(value):
            return "NaN"
        case float() if math.isinf(value):
            return "Infinity" if 0 < value else "-Infinity"
        case decimal.Decimal():
            return format(value, "f")
        case dt.datetime():
            text = value.replace(tzinfo=None).isoformat()
            text = text.rstrip("0") if "." in text else text
            return text + ("Z" if value.tzinfo else "")
        case dt.date():
            return value.isoformat()
        case bytes():
            return base64.b64encode(value).decode()
        case dict():
            return {name: decode(member) for name, member in value.items()}
        case list() | tuple():
            return [decode(element) for element in value]
        case _:
            return value


def quoted(name: str) -> str:
    """A column's name as Spark's SQL reads it, whatever stands in it."""
    return "`" + name.replace("`", "``") + "`"


def listed(names: str) -> list[str]:
    """The names of `a, b`, without their backticks."""
    return [name.strip().strip("`") for name in re.findall(r"(?:`[^`]*`|[^,`])+", names)]
