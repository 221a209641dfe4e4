#!/usr/bin/env bash
# Explores every kernel at its own sizes: results/proofs.md and results/proofs-count.md, and README and docs/kernels.md,
# which show them. A cell tells what all states of the case hold, and how many they are; "limit" where they are more than
# STATES.
set -euo pipefail
source scripts/explored.sh
out=${OUT:-results}
states=${STATES:-250000}
cases=("2 --model=a2a3" "3 --model=a2a3" "4 --model=a2a3" "2 --model=a2a3-blocking" "2 --model=a2a3-evict")

mkdir -p "$out"
table=$(mktemp)
trap 'rm -f "$table"' EXIT
for kernel in kernels/*.py; do
    row="| $(basename "$kernel" .py) |"
    for case in "${cases[@]}"; do
        # shellcheck disable=SC2086
        row+=" $(explored "$kernel" --max-states="$states" -P $case) |"
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
