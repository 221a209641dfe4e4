#!/usr/bin/env bash
# conformance.sh DIR [TEST..]: the tests of a checkout of the compiler, asked of fencebench; results/conformance.md
# (CONFORMANCE_OUT) says what agrees. DIR is only read, and nothing of it is kept. TEST: files or folders in DIR.
set -eu
cd "$(dirname "$0")/.."
bash scripts/deps.sh python3 python3-pytest
dir=$(realpath "${1:?usage: conformance.sh DIR [TEST..]}")
shift
[ $# -gt 0 ] || set -- tests/ut/ir tests/ut/language tests/ut/codegen tests/ut/pass tests/st/distributed examples/distributed
out=$(realpath -m "${CONFORMANCE_OUT:-results/conformance.md}")
own=$PWD/scripts/conformance
FENCEBENCH=$(realpath "${FENCEBENCH:-build/fencebench}")
CONFORMANCE_EVENTS=$(mktemp)
export FENCEBENCH CONFORMANCE_EVENTS PYTHONPATH=$own PYTHONDONTWRITEBYTECODE=1
trap 'rm -rf "$CONFORMANCE_EVENTS"' EXIT
# The tests' outcomes are data: their failures are for the report to tell apart. Each part runs by itself, so that what one
# replaces in a module does not meet another.
for part in "$@"; do
    (cd "$dir" && /usr/bin/python3 -m pytest --noconftest -p plugin -p no:cacheprovider -q --tb=no \
        --continue-on-collection-errors "$part" | tail -1) || true
done
/usr/bin/python3 "$own/report.py" "$CONFORMANCE_EVENTS" "$own/reasons.tsv" > "$out"
echo "see $out"
