"""Takes away what an engine has made, once the engine is gone: killed, too.

A process of its own, outside the engine's group. The end of its input, which the engine holds,
tells it that the engine is gone; a line before that says which server it was at.
"""

from __future__ import annotations

import json
import shutil
import sys
import time
from pathlib import Path

PATIENCE = 10.0  # seconds, for what was killed to stop writing


def take_away(folder: Path) -> None:
    end = time.monotonic() + PATIENCE
    while folder.exists() and time.monotonic() < end:
        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(0.02)


def main(folder: Path) -> None:
    server = None
    for line in sys.stdin:
        # Spark's client is loaded now, and not when there is no time left.
        import remote

        server = remote.Server(**json.loads(line))
    try:
        if server:
            server.take_away()
    finally:
        take_away(folder)
    if folder.exists():
        sys.exit(f"not all in {folder} could be removed")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
