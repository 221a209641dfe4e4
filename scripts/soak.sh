#!/usr/bin/env bash
# At least SOAK_RUNS runs (a million) over every kernel and host program that is claimed clean, under every contract:
# nothing may be found. Claimed clean is a row of results/markers-on.txt (the compiler's rules, the default profile) or of
# results/closed.txt (the proposed rules) without a finding, the host programs named below (docs/kernels.md), and each
# program of results/programs.txt without one.
set -eu
bench=${FENCEBENCH:-build/fencebench}
runs=${SOAK_RUNS:-1000000}
proposed="--rules=proposed --toolchain=proposed-drain"

# "kernel P" for each row of a table whose cells all say clean.
clean_rows() {
    awk '$2 ~ /^[0-9]+$/ { for (i = 3; i <= NF && $i == "clean"; i++); if (i > NF) print $1, $2 }' "$1"
}

jobs=$(
    clean_rows results/markers-on.txt | while read -r kernel ranks; do echo "kernels/$kernel.py -P $ranks"; done
    clean_rows results/closed.txt | while read -r kernel ranks; do echo "kernels/$kernel.py -P $ranks $proposed"; done
    for host in jit_ring late_ranks leader_waits multi_group; do echo "kernels/host/$host.py"; done
    # Programs that are clean on any number of ranks; their arguments stand in the command in front of their table.
    awk '/^\$/ { args = ""; for (i = 1; i < NF; i++) if ($i == "--arg") args = args " --arg " $(i + 1) }
        $2 ~ /^[0-9]+$/ { job = "kernels/programs/" $1 ".py" args; bad[job] += $3 $4 $5 != "cleancleanclean" }
        END { for (job in bad) if (!bad[job]) print job }' results/programs.txt | sort
)
cases=$(($(echo "$jobs" | wc -l) * 7))
each=$(((runs + cases - 1) / cases))
echo "$((cases * each)) runs: $each of each of $cases cases"
failed=0
out=$(mktemp)
trap 'rm -f "$out"' EXIT
while read -r arguments; do
    # shellcheck disable=SC2086
    "$bench" check --model=all --runs="$each" --findings=1 $arguments > "$out" 2>&1 < /dev/null || {
        failed=$((failed + 1))
        echo "check --model=all --runs=$each $arguments"
        cat "$out"
    }
done <<< "$jobs"
echo "$failed of $(echo "$jobs" | wc -l) programs with findings"
[ "$failed" = 0 ]
