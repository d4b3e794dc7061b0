#!/usr/bin/env bash
# Installs what the engine for Apache Spark needs: a virtual environment with PySpark (some 820 MB, from a package
# index), and the catalog in it, compiled. It may run again: it does only what isn't done.
#
#   engines/spark/setup.sh            exit code 3: Python or Java is missing
#   engines/spark/setup.sh --check    says what is missing, and installs nothing
#
# KILLMATRIX_SPARK=FOLDER says where the environment is; by default target/spark. PYTHON=COMMAND says which Python it
# is made with; by default python3. JAVA_HOME, if it is set, says which Java.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../.." && pwd)"
spark="${KILLMATRIX_SPARK:-${CARGO_TARGET_DIR:-$root/target}/spark}"
python="${PYTHON:-python3}"
java="${JAVA_HOME:+$JAVA_HOME/bin/}java"
javac="${JAVA_HOME:+$JAVA_HOME/bin/}javac"

missing=no
lacks() {
    missing=yes
    printf 'missing: %s\n    %s\n' "$1" "$2" >&2
}

# The feature release of `openjdk version "17.0.15"`, or of `javac 17.0.15`.
release() {
    "$@" 2>&1 | sed -En 's/^(.* version "|javac )([0-9]+).*/\2/p' | head -n 1
}

if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2> /dev/null; then
    lacks "Python 3.10 or newer ($python isn't)" \
        "Debian, Ubuntu: apt install python3 python3-venv; macOS: brew install python; or PYTHON=COMMAND $0"
elif ! "$python" -c 'import ensurepip, venv' 2> /dev/null; then
    lacks "venv of $python" "Debian, Ubuntu: apt install python3-venv"
fi
for tool in "$java -version" "$javac -version"; do
    # shellcheck disable=SC2086
    version="$(release $tool || true)"
    if [ "${version:-0}" -lt 17 ]; then
        lacks "Java 17 or newer with javac (${tool% *} isn't)" \
            "Debian, Ubuntu: apt install openjdk-17-jdk-headless; macOS: brew install openjdk@17; or set JAVA_HOME"
        break
    fi
done
if [ "$missing" = yes ]; then
    exit 3
fi
if [ "${1:-}" = --check ]; then
    exit 0
fi

# It is kept, and made anew when the versions or the interpreter change. The stamp says that it is whole: without it
# run.sh doesn't start, and this begins again.
stamp="$("$python" -c 'import sys; print(sys.version)' && cat "$here/requirements.txt")"
if [ "$(cat "$spark/stamp" 2> /dev/null)" != "$stamp" ]; then
    rm -f "$spark/stamp"
    rm -rf "$spark"
    "$python" -m venv "$spark"
    "$spark/bin/pip" install --quiet --disable-pip-version-check --no-compile \
        --requirement "$here/requirements.txt"
    printf '%s\n' "$stamp" > "$spark/stamp"
fi

classes="$spark/killmatrix-classes"
if [ ! "$classes/killmatrix/MemCatalog.class" -nt "$here/MemCatalog.java" ]; then
    jars="$("$spark/bin/python" -c 'import os, pyspark; print(os.path.join(os.path.dirname(pyspark.__file__), "jars"))')"
    rm -rf "$classes" "$classes.new"
    mkdir -p "$classes.new"
    "$javac" -nowarn --release 17 -cp "$jars/*" -d "$classes.new" "$here/MemCatalog.java"
    mv "$classes.new" "$classes"
fi

echo "Apache Spark $("$spark/bin/python" -c 'import pyspark; print(pyspark.__version__)') is ready. From $root:"
echo "    cdc-killmatrix run --engine engines/spark/run.sh --engine-timeout 600 fixtures/customers_current"
if [ -n "${KILLMATRIX_SPARK:-}" ]; then
    echo "with KILLMATRIX_SPARK=$KILLMATRIX_SPARK, as now."
fi
