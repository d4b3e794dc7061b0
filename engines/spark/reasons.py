"""Why there are no rows: what was asked is refused, or it couldn't be carried out.

A refusal is about the events or the flow, so it counts. All else that goes wrong is outside, and
says nothing of them: no right to write, a full disk, a network that is gone.
"""

from __future__ import annotations

import re
from typing import Union

CONDITION = re.compile(r"\[([A-Z][A-Z0-9_]*(?:\.[A-Z0-9_]+)*)\]")
# SQLSTATEs of Spark's analysis: what SQL can't say, and what Spark hasn't; and of these what isn't
# the flow's: rights, and places that are gone.
ANALYSIS = re.compile(r"0A|42(?!501|K03)")
OUTSIDE = re.compile(
    r"PERMISSION|PRIVILEGE|DENIED|AUTHORIZED|ALREADY_EXISTS"
    r"|^(CATALOG|SCHEMA|TABLE_OR_VIEW|PATH)_NOT_FOUND"
)


class Refused(Exception):
    """What Spark refuses, or what can't be asked of it."""

    def __init__(self, cls: str, message: str) -> None:
        super().__init__(message)
        self.cls, self.message = cls, message

    @property
    def is_of_microbatch(self) -> bool:
        """Whether it is about the rows, and not about the flow."""
        return self.cls.startswith("AUTOCDC") and "MICROBATCH" in self.cls


class Failed(Exception):
    """What stood in the way."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


Reason = Union[Refused, Failed]


def reason(error: BaseException) -> Reason:
    """What an error is, by its first condition: a refusal is one of AUTO CDC or of the analysis.

    Spark wraps what a stream throws in `[STREAM_FAILED]`, with the conditions in the text.
    """
    if isinstance(error, (Refused, Failed)):
        return error
    text = str(error)
    cls = next((cls for cls in CONDITION.findall(text) if cls != "STREAM_FAILED"), None)
    own = text[text.find(f"[{cls}]") :] if cls else ""
    state = re.search(r"SQLSTATE: (\w{5})", own)
    is_analysis = state is not None and ANALYSIS.match(state[1]) is not None
    if cls and (cls.startswith("AUTOCDC") or is_analysis and not OUTSIDE.search(cls)):
        return Refused(cls, line_of(own))
    return Failed(f"{type(error).__name__}: {line_of(text)}")


def reason_of_event(events: list[str], flow: str) -> Reason | None:
    """Why a flow failed in an update of several, if its own event says so."""
    failed = re.compile(rf"Flow '?\S*\b{re.escape(flow)}'? has FAILED\b(.*)", re.S)
    found = [match for it in events if (match := failed.match(it))]
    return reason(Exception(found[-1][1].partition("Error:")[2])) if found else None


def line_of(text: str) -> str:
    return text.strip().split("\n")[0][:1000] or "no reason is given"
