#!/usr/bin/env bash
# Plays the fixtures on the engines in Python, SQLite and DuckDB, and tests the protocol. Needs Python 3.9 or newer with
# venv and SQLite 3.39, and a package index for what requirements-test.txt pins. The program isn't needed.
#
#   engines/test.sh [ARGUMENT...]     arguments for pytest
#
# KILLMATRIX_PYTHON=FOLDER says where the environment is; by default target/python.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
folder="${KILLMATRIX_PYTHON:-${CARGO_TARGET_DIR:-$here/../target}/python}/engines"

if ! python3 -c 'import sys, venv, ensurepip; assert sys.version_info >= (3, 9)' 2> /dev/null; then
    echo "the engines can't be tested: they need Python 3.9 or newer, with venv" >&2
    exit 1
fi
# It is kept, and made anew when the versions or the interpreter change.
stamp="$(python3 -c 'import sys; print(sys.version)' && cat "$here"/requirements*.txt)"
if [ "$(cat "$folder/stamp" 2> /dev/null)" != "$stamp" ]; then
    rm -rf "$folder"
    python3 -m venv "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements-test.txt"
    printf '%s\n' "$stamp" > "$folder/stamp"
fi
cd "$here"
PYTHONDONTWRITEBYTECODE=1 exec "$folder/bin/python" -m pytest --quiet -p no:cacheprovider test_engines.py test_protocol.py test_spark_flush.py "$@"
