#!/usr/bin/env bash
# Opens HTML reports in a headless Chromium and uses them as a reader would. Needs Node 20 with npm, and the Rust
# toolchain. Chromium is the one on the path, or else the one of an npm package (64 MB, pinned in package-lock.json).
#
#   tools/browser/run.sh [FOLDER]     keeps the pages and the screenshots in FOLDER
#
# KILLMATRIX_BROWSER=FOLDER says where the npm packages are installed; by default target/browser.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
cd "$here/../.."

for tool in node npm cargo; do
    if ! command -v "$tool" > /dev/null; then
        echo "the HTML report isn't opened in a browser: there is no $tool here" >&2
        exit 0
    fi
done

target="${CARGO_TARGET_DIR:-$PWD/target}"
tools="${KILLMATRIX_BROWSER:-$target/browser}"
pages="${1:-$tools/pages}"
mkdir -p "$tools" "$pages"
cp "$here/package.json" "$here/package-lock.json" "$tools/"
(cd "$tools" && npm ci --no-audit --no-fund --loglevel=error)
cp "$here/check.mjs" "$tools/"

killmatrix() {
    # A survivor is no failure here.
    cargo run --quiet --locked -p cdc-killmatrix -- run "$@" > /dev/null || [ $? -eq 2 ]
}
killmatrix fixtures --report html="$pages/shipped.html"
killmatrix fixtures --redact --report html="$pages/redacted.html"
killmatrix cdc-killmatrix/tests/html/hostile --report html="$pages/hostile.html"
cargo run --quiet --locked -p cdc-killmatrix --example large_page > "$pages/large.html"

# The package unpacks its Chromium into the folder for temporary files.
TMPDIR="$tools" node "$tools/check.mjs" "$pages"
