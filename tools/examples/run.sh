#!/usr/bin/env bash
# Plays the tutorial of the README and the examples for Python: pytest, GitHub Actions, pre-commit. Needs Python 3.9 or
# newer with venv, git, and a package index for what requirements.txt pins.
#
#   tools/examples/run.sh [WHEEL]     the wheel of cdc-killmatrix; without it, one is built (maturin)
#   tools/examples/run.sh --write ..  rewrites the tutorial, instead of comparing it
#   tools/examples/run.sh --dbt ..    dbt as well (installs some 100 MB)
#   tools/examples/run.sh --build ..  pre-commit as well as users run it: it builds this repository
#
# KILLMATRIX_PYSPARK=PYTHON is a Python with PySpark: then the test in examples/pytest/README.md is run, too.
# KILLMATRIX_PYTHON=FOLDER says where the environments are; by default target/python.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../.." && pwd)"

with_dbt=no with_build=no mode=--check wheel=
for argument in "$@"; do
    case "$argument" in
        --write) mode= ;;
        --dbt) with_dbt=yes ;;
        --build) with_build=yes ;;
        *) wheel="$(realpath "$argument")" ;;
    esac
done
cd "$root"

for tool in python3 git; do
    if ! command -v "$tool" > /dev/null; then
        echo "the examples for Python can't be played: there is no $tool here" >&2
        exit 1
    fi
done
if ! python3 -c 'import sys, venv, ensurepip; assert sys.version_info >= (3, 9)' 2> /dev/null; then
    echo "the examples for Python can't be played: they need Python 3.9 or newer, with venv" >&2
    exit 1
fi

# An environment with what a file pins. It is kept, and made anew when the file or the interpreter changes.
python="${KILLMATRIX_PYTHON:-${CARGO_TARGET_DIR:-$root/target}/python}"
environment() {
    local folder="$python/$1" stamp
    stamp="$(python3 -c 'import sys; print(sys.version)' && cat "$2")"
    if [ "$(cat "$folder/stamp" 2> /dev/null)" != "$stamp" ]; then
        rm -rf "$folder"
        python3 -m venv "$folder"
        "$folder/bin/pip" install --quiet --disable-pip-version-check --requirement "$2"
        printf '%s\n' "$stamp" > "$folder/stamp"
    fi
}

# The wheel alone with what pip needs to install it where no index may be asked.
links="$python/links"
rm -rf "$links"
mkdir -p "$links"
environment tools "$here/requirements.txt"
if [ -z "$wheel" ]; then
    "$python/tools/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$links" .
else
    cp "$wheel" "$links"
fi
wheel="$(echo "$links"/cdc_killmatrix-*.whl)"
"$python/tools/bin/pip" download --quiet --disable-pip-version-check --no-deps --dest "$links" setuptools==80.9.0

# The command itself, anew: a wheel of the same version may be another.
"$python/tools/bin/pip" install --quiet --disable-pip-version-check --no-index --force-reinstall "$wheel"
export PATH="$python/tools/bin:$PATH" PYTHONDONTWRITEBYTECODE=1
unset PYTHONPATH

step() {
    printf '\n== %s\n' "$*"
    "$@"
}

step python "$here/tutorial.py" "$links" README.md $mode
step python "$here/questions.py" "$(command -v cdc-killmatrix)"

# In a copy, as a user has it: no configuration of this repository is found from there.
sample="$(mktemp -d)"
trap 'rm -rf "$sample"' EXIT
cp -R examples/pytest/. "$sample"
cd "$sample"
step cdc-killmatrix run
step pytest --quiet -p no:cacheprovider
PYTHONPATH="$sample" step pytest --quiet -p no:cacheprovider --rootdir "$sample" "$here/test_helper.py"
if [ -n "${KILLMATRIX_PYSPARK:-}" ]; then
    awk '/^```python/ { inside = 1; next } /^```/ { inside = 0 } inside' README.md > test_spark.py
    PYTHONPATH="$(python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" \
        step "$KILLMATRIX_PYSPARK" -m pytest --quiet -p no:cacheprovider test_spark.py
fi
cd "$root"
step python "$here/github.py" "$links"
step python "$here/pre_commit.py" "$wheel" "$links"
if [ "$with_build" = yes ]; then
    step python "$here/pre_commit.py" --build
fi
if [ "$with_dbt" = yes ]; then
    environment dbt "$here/requirements-dbt.txt"
    step "$python/dbt/bin/python" "$here/with_dbt.py" "$(command -v cdc-killmatrix)"
fi
printf '\nThe examples for Python pass.\n'
