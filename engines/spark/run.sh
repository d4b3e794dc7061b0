#!/usr/bin/env bash
# Apache Spark's own AUTO CDC as an engine: `cdc-killmatrix run --engine engines/spark/run.sh --engine-timeout 600`.
# setup.sh beside it installs what it needs. `run.sh --help` shows the options.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
spark="${KILLMATRIX_SPARK:-${CARGO_TARGET_DIR:-$here/../../target}/spark}"
if [ ! -f "$spark/stamp" ]; then
    echo "there is no PySpark in $spark, or not all of it; run $here/setup.sh" >&2
    exit 1
fi
# PySpark warns of the pandas that it installs.
exec "$spark/bin/python" -W ignore::FutureWarning "$here/engine.py" "$@"
