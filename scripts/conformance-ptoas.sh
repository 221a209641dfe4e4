#!/usr/bin/env bash
# conformance-ptoas.sh DIR: the .pto files of a checkout of the assembler, asked of fencebench;
# results/conformance-ptoas.md (CONFORMANCE_OUT) says what is read and what runs. DIR is only read, and nothing of it is kept.
set -eu
cd "$(dirname "$0")/.."
bash scripts/deps.sh python3
out=${CONFORMANCE_OUT:-results/conformance-ptoas.md}
written=$(mktemp)
trap 'rm -f "$written"' EXIT
FENCEBENCH=$(realpath "${FENCEBENCH:-build/fencebench}") /usr/bin/python3 scripts/conformance/ptoas.py \
    "${1:?usage: conformance-ptoas.sh DIR}" > "$written"
cp "$written" "$out"
echo "see $out"
