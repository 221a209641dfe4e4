#!/usr/bin/env bash
# Speed of the explorer: states per second on a test of more than ten million states, with one worker and with two, in
# turns; then seconds for kernels with the oracle, verdict included, on two workers, against ceilings.
set -eu
bench=${FENCEBENCH:-build/fencebench}
test=litmus/large/two-rank-exchange.litmus
rounds=${ROUNDS:-3}
floor=1000000
least=10000000

json_number() { sed -n "s/.*\"$1\": *\([0-9.]*\).*/\1/p"; }

best=(0 0 0)
for ((round = 1; round <= rounds; round++)); do
    for workers in 1 2; do
        text=$("$bench" litmus --explore --model=a2a3 -j $workers --json $test)
        states=$(json_number machine_states <<< "$text")
        seconds=$(json_number seconds <<< "$text")
        [ "$states" -gt $least ] || { echo "$test has $states states, expected more than $least"; exit 1; }
        rate=$(awk -v n="$states" -v t="$seconds" 'BEGIN { printf "%.0f", n / t }')
        echo "round $round, $workers worker(s): $states states in $seconds s: $rate states per second"
        [ "$rate" -le "${best[$workers]}" ] || best[$workers]=$rate
    done
done
echo "best of $rounds: ${best[1]} states per second with one worker, floor $floor; ${best[2]} with two," \
    "$(awk -v a="${best[1]}" -v b="${best[2]}" 'BEGIN { printf "%.2f", b / a }') times that, floor 1.7 on two free cores"
[ "${best[1]}" -ge "$floor" ] || { echo "below the floor"; exit 1; }
awk -v a="${best[1]}" -v b="${best[2]}" 'BEGIN { exit b < 1.7 * a }' || { echo "below the floor"; exit 1; }

# kernel SECONDS ARG..
kernel() {
    local ceiling=$1 start end line
    shift
    start=$(date +%s.%N)
    line=$("$bench" explore -j 2 "$@" | sed -n 1p) || true
    end=$(date +%s.%N)
    awk -v s="$start" -v e="$end" -v most="$ceiling" -v what="$*" -v line="$line" 'BEGIN {
        sub(/.*: /, "", line); sub(/ states.*/, "", line)
        printf "%s: %s states in %.2f s, ceiling %s s\n", what, line, e - s, most
        exit e - s > most }' || { echo "above the ceiling"; exit 1; }
}
kernel 5 kernels/mesh_allreduce.py -P 4 --arg SIZE=8 --arg CHUNK=8
kernel 5 kernels/expert_dispatch.py -P 3 --arg TOKENS=1 --arg DIM=1
kernel 5 kernels/expert_dispatch.py -P 3
kernel 5 kernels/expert_dispatch.py -P 4
kernel 60 kernels/ring_allreduce.py -P 4
