#!/usr/bin/env bash
# For scripts to read: what exploring a case says, in a word.

# explored ARGUMENT..: of fencebench explore: "proved, 51", "finding, 210", "finding" where a limit was hit besides, or "limit".
explored() {
    local line n
    line=$("${FENCEBENCH:-build/fencebench}" explore "$@" 2>&1 | sed -n 1p) || true
    n=$(sed -nE 's/.*: ([0-9]+) states.*/\1/p' <<<"$line")
    case $line in
    *"a limit was hit"*findings:) echo finding ;;
    *"a limit was hit"*) echo limit ;;
    *"; clean") echo "proved, $n" ;;
    *"findings:") echo "finding, $n" ;;
    *) echo "error: $line" ;;
    esac
}
