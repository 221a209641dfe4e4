#!/usr/bin/env bash
# Speed of the machine: transitions per second of one core, in user time, on mesh allreduce with 8 ranks, oracle on.
set -eu
bench=${FENCEBENCH:-build/fencebench}
runs=${RUNS:-1000}
kernel=kernels/mesh_allreduce.py
best=0
for round in 1 2 3 4 5; do
    TIMEFORMAT=%U
    exec 3>&1
    user=$({ time "$bench" check $kernel -P 8 -j 1 --runs="$runs" --json > "${TMPDIR:-/tmp}/fencebench-bench.$$" || [ $? -eq 1 ]; } 2>&1)
    steps=$(sed -n 's/.*"transitions": *\([0-9]*\).*/\1/p' "${TMPDIR:-/tmp}/fencebench-bench.$$")
    local_steps=$(sed -n 's/.*"local_instructions": *\([0-9]*\).*/\1/p' "${TMPDIR:-/tmp}/fencebench-bench.$$")
    rate=$(awk -v n="$steps" -v t="$user" 'BEGIN { printf "%.0f", n / t }')
    echo "round $round: $steps transitions (and $local_steps local instructions) in $user s: $rate transitions per second"
    [ "$rate" -gt "$best" ] && best=$rate
done
rm -f "${TMPDIR:-/tmp}/fencebench-bench.$$"
floor=2000000
echo "best of 5: $best transitions per second and core; floor $floor"
[ "$best" -ge "$floor" ] || { echo "below the floor"; exit 1; }
