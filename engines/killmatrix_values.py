"""Values as fixtures write them, and as SQL takes them: exact, and in an order that is theirs."""

from __future__ import annotations

import base64
import math
import re
from datetime import datetime, timedelta, timezone
from decimal import Context, Decimal
from typing import Any

EXACT = Context(prec=60)


def moment(text: str) -> datetime:
    """A `TIMESTAMP`: a `T` or a blank, seconds and zone optional, UTC where there is none."""
    date, time, zone = (
        r"(\d{4})-(\d\d?)-(\d\d?)",
        r"(\d\d?):(\d\d?)(?::(\d\d?)(?:\.(\d{1,6}))?)?",
        r"([+-])(\d\d):?(\d\d)",
    )
    parts = re.fullmatch(rf"{date}(?:[T ]{time})?\s*(?:Z|UTC|{zone})?", text.strip())
    if not parts:
        raise ValueError(f"not a timestamp: {text!r}")
    *numbers, fraction, sign, hours, minutes = parts.groups()
    read = datetime(*(int(number or 0) for number in numbers), int((fraction or "0").ljust(6, "0")), timezone.utc)
    ahead = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    return read + ahead if sign == "-" else read - ahead


def plain(text: str) -> str:
    """A `TIMESTAMP` in UTC, of one width: as text it sorts as the instants do."""
    return moment(text).replace(tzinfo=None).isoformat(timespec="microseconds")


def shown_moment(text: str, zone: str) -> str:
    """A moment of SQL as fixtures write it: up to six digits, none that are zero at the end."""
    whole, _, fraction = text.replace(" ", "T").partition(".")
    fraction = fraction.rstrip("0")
    return f"{whole}.{fraction}{zone}" if fraction else whole + zone


def decimal(value: Any, spark_type: str) -> Decimal:
    """A `DECIMAL(p,s)` with its scale."""
    scale = re.search(r",\s*(\d+)", spark_type)
    return EXACT.quantize(Decimal(str(value)), Decimal(1).scaleb(-int(scale[1]) if scale else 0))


def double(value: float) -> float | str:
    """A `DOUBLE` as JSON has it, which has no name for what isn't finite."""
    if math.isnan(value):
        return "NaN"
    return value if math.isfinite(value) else ("Infinity" if value > 0 else "-Infinity")


def to_bytes(text: str) -> bytes:
    return base64.b64decode(text)


def from_bytes(value: bytes) -> str:
    return base64.b64encode(value).decode()
