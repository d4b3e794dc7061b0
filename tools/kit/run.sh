#!/usr/bin/env bash
# Tests the Python of the workspace kit against a workspace in memory, and its types. Needs Python 3.10 or newer with
# venv, and a package index for what requirements.txt pins; no workspace, and no network after that.
#
#   tools/kit/run.sh [PROGRAM]     with cdc-killmatrix: also the bundle that it writes, by Databricks' own classes
#
# KILLMATRIX_PYTHON=FOLDER says where the environment is; by default target/python.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../.." && pwd)"
folder="${KILLMATRIX_PYTHON:-${CARGO_TARGET_DIR:-$root/target}/python}/kit"
python="${PYTHON:-python3}"

if ! "$python" -c 'import sys, venv, ensurepip; assert sys.version_info >= (3, 10)' 2> /dev/null; then
    echo "the kit can't be tested: it needs Python 3.10 or newer, with venv" >&2
    exit 1
fi
# It is kept, and made anew when the versions or the interpreter change.
stamp="$("$python" -c 'import sys; print(sys.version)' && cat "$here/requirements.txt")"
if [ "$(cat "$folder/stamp" 2> /dev/null)" != "$stamp" ]; then
    rm -rf "$folder"
    "$python" -m venv "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"
    printf '%s\n' "$stamp" > "$folder/stamp"
fi
tests=(test_kit.py test_http.py)
if [ $# -gt 0 ]; then
    KILLMATRIX="$(realpath "$1")"
    export KILLMATRIX
    tests+=(test_bundle.py)
fi
cd "$here"
kit="$root/cdc-killmatrix/src/kit"
MYPYPATH="$kit" "$folder/bin/python" -m mypy --strict --no-error-summary --cache-dir "$folder/mypy" \
    "$kit"/{kit,play,tables,workspace}.py fake.py "${tests[@]}"
PYTHONDONTWRITEBYTECODE=1 exec "$folder/bin/python" -m pytest --quiet -p no:cacheprovider "${tests[@]}"
