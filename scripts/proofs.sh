#!/usr/bin/env bash
# Explores every kernel at its own sizes: results/proofs.md and results/proofs-count.md, and README and docs/kernels.md,
# which show them. A cell tells what all states of the case hold, and how many they are; "limit" where they are more than
# STATES.
set -euo pipefail
bench=${FENCEBENCH:-build/fencebench}
out=${OUT:-results}
states=${STATES:-250000}
cases=("2 a2a3" "3 a2a3" "4 a2a3" "2 a2a3-blocking" "2 a2a3-evict")

# cell KERNEL P MODEL: "proved, 51", "finding, 210" or "limit".
cell() {
    local line
    line=$("$bench" explore "$1" -P "$2" --model="$3" --max-states="$states" 2>&1 | sed -n 1p) || true
    local n
    n=$(sed -nE 's/.*: ([0-9]+) states.*/\1/p' <<<"$line")
    case $line in
    *"a limit was hit"*findings:) echo finding ;;
    *"a limit was hit"*) echo limit ;;
    *"; clean") echo "proved, $n" ;;
    *"findings:") echo "finding, $n" ;;
    *) echo "error: $line" ;;
    esac
}

mkdir -p "$out"
table=$(mktemp)
trap 'rm -f "$table"' EXIT
for kernel in kernels/*.py; do
    row="| $(basename "$kernel" .py) |"
    for case in "${cases[@]}"; do
        # shellcheck disable=SC2086
        row+=" $(cell "$kernel" $case) |"
    done
    echo "$row"
done > "$table"
# count WORD: how many cells begin with it.
count() { grep -o "| $1" "$table" | wc -l; }
{
    echo "| kernel | P=2 a2a3 | P=3 a2a3 | P=4 a2a3 | P=2 a2a3-blocking | P=2 a2a3-evict |"
    echo "|---|---|---|---|---|---|"
    cat "$table"
} > "$out/proofs.md"
echo "Of these cases $(count proved) are proved clean, $(count finding) have findings, $(count limit) have more than" \
    "$states states." > "$out/proofs-count.md"
bash scripts/embed.sh README.md docs/kernels.md
