#!/usr/bin/env bash
# oracle.sh DIR: what the real compiler printed after each of its passes (DIR/*/*.out), against ours: does every text read
# back as what it is, and does each pass that we have turn the text in front of one into the text behind it? Prints a line
# for each difference and a score for each pass; the exit code is 0 when nothing is worse than tests/passes/oracle_test.c says.
set -eu
cd "$(dirname "$0")/.."
dir=$(realpath "${1:?usage: oracle.sh DIR}")
make "${BUILD:-build}/test_passes" >&2
ORACLE=$dir ORACLE_REPORT=1 "${BUILD:-build}/test_passes" --filter 'oracle/*'
