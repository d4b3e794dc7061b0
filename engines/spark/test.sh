#!/usr/bin/env bash
# Installs what the engine for Apache Spark needs, as setup.sh says, and tests it: its protocol on published fixtures of
# both SCD types, and at a Spark Connect server. Where Python or Java is missing it says so, and tests nothing.
#
#   engines/spark/test.sh [PROGRAM]     with cdc-killmatrix: the kit that it writes is played on Spark, too
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"

code=0
missing="$("$here/setup.sh" --check 2>&1)" || code=$?
if [ "$code" = 3 ]; then
    lacks="$(awk 'sub(/^missing: /, "") { printf "%s%s", comma, $0; comma = ", " }' <<< "$missing")"
    echo "NOT TRIED: Apache Spark's own AUTO CDC; it needs $lacks"
    exit 0
elif [ "$code" != 0 ]; then
    echo "$missing" >&2
    exit "$code"
fi
"$here/setup.sh"
# The engines that are tested start in folders of their own.
KILLMATRIX_SPARK="$(cd "${KILLMATRIX_SPARK:-${CARGO_TARGET_DIR:-$here/../../target}/spark}" && pwd)"
export KILLMATRIX_SPARK
# So short a run isn't worth the better compiler, which takes more time than it saves.
export JAVA_TOOL_OPTIONS="${JAVA_TOOL_OPTIONS:-} -XX:TieredStopAtLevel=1"
for test in test_spark.py test_remote.py ${1:+"test_kit.py $1"}; do
    # shellcheck disable=SC2086
    "$KILLMATRIX_SPARK/bin/python" -W ignore::FutureWarning "$here/"$test
done
