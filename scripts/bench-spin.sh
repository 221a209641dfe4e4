#!/usr/bin/env bash
# The explorer against spin's compiled verifier on the same tests, side by side: wall time of `fencebench litmus
# --explore -j 1` and of pan, alternating, best of ROUNDS (5). What spin and gcc need to make pan is not counted, and
# the Promela model (litmus/promela/promela.h) has states of its own: it keeps no data that nothing reads, so the numbers of
# states differ while the final states are the same (scripts/crosscheck.sh).
# Environment: FENCEBENCH, ROUNDS, BENCH_TESTS (lines "MODEL FILE"). Exit code: 0 measured, or skipped for want of spin;
# 1 the engines differ or one fails.
set -u
export LC_ALL=C
if ! command -v spin > /dev/null || ! command -v gcc > /dev/null; then
    echo "bench: no comparison with spin, which is not installed (apt-get install spin gcc)"
    exit 0
fi
bench=$(realpath "${FENCEBENCH:-build/fencebench}") || exit 1
rounds=${ROUNDS:-5}
tests=${BENCH_TESTS:-"a2a3 catalogue/h01-stale-line/H01-cached-before-wait
a2a3 catalogue/recipe/MP-fence
weakest catalogue/recipe/MP-fence
a2a3-evict catalogue/h02-dirty-store/H02-cleaned
weakest catalogue/h03-line-sharing/H03-set-set-packed
weakest catalogue/h06-signal-overtakes/H06-dma-flag
weakest catalogue/h11-signal-reuse/H11-counter-of-two-ranks-all
weakest catalogue/h16-duplicated-notify/H16-duplicate-stands-for-peer
a2a3-evict catalogue/h09-batched-waits/H09-one-invalidate-after-all
weakest catalogue/h09-batched-waits/H09-three-waits
weakest catalogue/h09-batched-waits/H09-invalidate-before-all
weakest catalogue/multicore/MC-two-waiters
a2a3 bench/BENCH-three-ranks
a2a3-evict bench/BENCH-three-ranks
a2a3-evict bench/BENCH-two-rounds
a2a3 bench/BENCH-four-writers"}
work=$(mktemp -d "${TMPDIR:-/tmp}/bench-spin.XXXXXX") && trap 'rm -rf "$work"' EXIT

# Microseconds that a command takes, its output in $work/out.
timed() {
    local from=${EPOCHREALTIME/./} to
    "$@" > "$work/out" 2>&1
    to=${EPOCHREALTIME/./}
    echo $((to - from))
}

# The base test alone, without its expectations, whose variants would be explored too.
prepare() {
    grep -v '^expect' "$2" > "$work/test.litmus"
    "$bench" litmus --emit=promela --model "$1" "$work/test.litmus" > "$work/test.pml" &&
        (cd "$work" && spin -a test.pml > spin.log && gcc -O2 -w -DSAFETY -DNOREDUCE -DPRINTF -o pan pan.c)
}

# pan gets a hash table and a stack of the size that a trial run needed: what it does not need costs time, too.
trial() {
    local states
    "$work/pan" -E -c0 -n -w22 -m1000000 > "$work/out" 2>&1
    grep -q "errors: 0" "$work/out" && ! grep -qE "too small|out of memory" "$work/out" || return 1
    spin_finals=$(grep -a '^final' "$work/out" | sort -u | wc -l)
    states=$(sed -n 's/^ *\([0-9]*\) states, stored.*/\1/p' "$work/out")
    spin_states=$states slots=16
    depth=$(($(sed -n 's/.*depth reached \([0-9]*\),.*/\1/p' "$work/out") + 100))
    while [ $((1 << slots)) -lt "$states" ]; do slots=$((slots + 1)); done
}

printf '%-12s %-34s %10s %9s %9s %10s %9s %9s %7s\n' model test states ms states/s "spin:" ms states/s ratio
while read -r model name; do
    prepare "$model" "litmus/$name.litmus" && trial || { echo "$name under $model: spin gives no answer"; exit 1; }
    ours=0 theirs=0
    for ((i = 0; i < rounds; i++)); do
        t=$(timed "$work/pan" -E -c0 -n -w$slots -m$depth)
        [ $theirs -ne 0 ] && [ "$t" -ge $theirs ] || theirs=$t
        t=$(timed "$bench" litmus --explore -j 1 --model "$model" "$work/test.litmus")
        [ $ours -ne 0 ] && [ "$t" -ge $ours ] || ours=$t
    done
    states=$(sed -n 's/.*explored, \([0-9]*\) machine states.*/\1/p' "$work/out")
    finals=$(sed -n 's/^States //p' "$work/out")
    [ "$finals" = "$spin_finals" ] || { echo "$name under $model: $finals final states, spin has $spin_finals"; exit 1; }
    awk -v m="$model" -v n="${name##*/}" -v s="$states" -v o="$ours" -v p="$spin_states" -v t="$theirs" 'BEGIN {
        printf "%-12s %-34s %10d %9.1f %9.0f %10d %9.1f %9.0f %7.2f\n", m, n, s, o / 1000, s * 1e6 / o, p, t / 1000, p * 1e6 / t, t / o }'
    echo "$ours $theirs" >> "$work/times"
done <<< "$tests"
awk '{ print $2 / $1 }' "$work/times" | sort -n | awk '
    { r[NR] = $1 } END { m = NR % 2 ? r[(NR + 1) / 2] : (r[NR / 2] + r[NR / 2 + 1]) / 2
    printf "median of %d ratios (time of spin / time of the explorer): %.2f, %s\n", NR, m, (m >= 1 ? "the explorer is not slower" : "spin is faster") }'
