"""What engines for killmatrix share: JSON lines in, JSON lines out.

An engine is any object with `hello()`, `open(message)`, `batch(message)` and `close(message)`. `batch` returns the
whole table as a list of rows; it, and `open`, may raise `Refused` or `Failed`. Each batch is answered as it comes, so `flush` has
nothing left to do.
"""

from __future__ import annotations

import json
import sys
from decimal import Decimal
from typing import Any

PROTOCOL = 1
Message = dict[str, Any]


class Refused(Exception):
    """A batch, or a whole fixture, that the engine doesn't take. The table stays as it was."""

    def __init__(self, error_class: str, message: str) -> None:
        super().__init__(message)
        self.error_class = error_class


class Failed(Exception):
    """What couldn't be carried out, so that nothing is known of the rows."""


class NotUnderstood(Exception):
    """A line that is no message of the protocol."""


FIELDS = {"hello": "protocol", "open": "id schema target", "batch": "id checkpoint rows", "flush": "", "close": "id"}


def serve(engine: Any) -> None:
    """Answers until standard input ends. What isn't understood ends the engine with exit code 1."""
    is_taken: dict[Any, bool] = {}  # of each id that is open, whether the fixture was taken
    for number, line in enumerate(sys.stdin.buffer, 1):
        try:
            answer = answered(engine, is_taken, *understood(line))
        except NotUnderstood as fault:
            sys.exit(f"{sys.argv[0]}: line {number}: {fault}")
        if answer:
            print(json.dumps(answer), flush=True)


def understood(line: bytes) -> tuple[str, Message]:
    try:
        message = json.loads(line, parse_float=Decimal)  # A decimal goes through no double.
    except ValueError as fault:
        raise NotUnderstood(f"not JSON: {fault}") from None
    if not isinstance(message, dict) or len(message) != 1 or not isinstance(*message.values(), dict):
        raise NotUnderstood('expected an object with one message, such as {"flush": {}}')
    ((kind, content),) = message.items()
    if kind not in FIELDS:
        raise NotUnderstood(f"unknown message `{kind}`; expected {', '.join(FIELDS)}")
    if missing := [field for field in FIELDS[kind].split() if field not in content]:
        raise NotUnderstood(f"`{kind}` without {', '.join(missing)}")
    if kind == "hello" and content["protocol"] != PROTOCOL:
        raise NotUnderstood(f"expected protocol {PROTOCOL}, not {content['protocol']!r}")
    return kind, content


def answered(engine: Any, is_taken: dict[Any, bool], kind: str, message: Message) -> Message | None:
    place = {name: message[name] for name in ("id", "checkpoint") if name in message}
    if kind in ("batch", "close") and message["id"] not in is_taken:
        raise NotUnderstood(f"`{kind}` of {message['id']}, which isn't open")
    try:
        if kind == "hello":
            return {"hello": {"protocol": PROTOCOL, **engine.hello()}}
        if kind == "open":
            is_taken[message["id"]] = False
            engine.open(message)
            is_taken[message["id"]] = True
        elif kind == "batch" and is_taken[message["id"]]:
            return {"rows": {**place, "rows": engine.batch(message)}}
        elif kind == "close" and is_taken.pop(message["id"]):
            engine.close(message)
    except Refused as refused:
        return {"refused": {**place, "class": refused.error_class, "message": str(refused)}}
    except Failed as failed:
        return {"failed": {**place, "message": str(failed)}}
    return None
