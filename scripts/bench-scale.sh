#!/usr/bin/env bash
# How the time of one run grows with the ranks and with the payload: processor seconds beside what the number of events says,
# as a table and as pictures in OUT; against ceilings at 1,024 ranks, and at 64 ranks of 4 MiB within 4 GiB of memory.
set -euo pipefail
bench=${FENCEBENCH:-build/fencebench}
out=${OUT:-build/bench}
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# seconds KERNEL P [ARGUMENT..]: of one core, for one run with its judge.
seconds() {
    local TIMEFORMAT=%U code=0
    { time "$bench" flushes "$1" -P "$2" --compare=loops --runs=1 -j1 "${@:3}" > "$work/out" 2>&1 || code=$?; } 2>&1
    [ "$code" -le 1 ] || { cat "$work/out" >&2; return "$code"; }
}

# series NAME TITLE EXPONENT CEILING: reads "X KERNEL P ARGUMENT.."; the last row is held to the ceiling. Theory: the first row times
# X^EXPONENT.
series() {
    local x rest first_x='' first_s='' s theory
    printf '%s\n%10s %10s %10s\n' "$2" size seconds theory
    : > "$work/$1"
    while read -r x rest; do
        # shellcheck disable=SC2086
        s=$(seconds $rest)
        [ -n "$first_x" ] || { first_x=$x first_s=$s; }
        theory=$(awk -v x="$x" -v f="$first_x" -v s="$first_s" -v e="$3" 'BEGIN { printf "%.2f", s * (x / f) ^ e }')
        printf '%10s %10s %10s\n' "$x" "$s" "$theory" | tee -a "$work/$1"
    done
    [ "$(wc -l < "$work/$1")" -eq 1 ] || gnuplot -e "set terminal svg size 640,400; set output '$out/scale-$1.svg'; set logscale xy; set key top left; set grid;
                set xlabel '$2'; set ylabel 'seconds of one core';
                plot '$work/$1' using 1:2 with linespoints title 'measured', '' using 1:3 with lines dashtype 2 title 'events'"
    awk -v s="$s" -v ceiling="$4" 'BEGIN { exit !(s <= ceiling) }' || { echo "above the ceiling of $4 s"; exit 1; }
}

mesh="kernels/mesh_allreduce.py"
# A barrier of P ranks is P (P - 1) signals and waits; a mesh moves the payload once for each pair of ranks.
for p in 64 128 256 512 1024; do echo "$p kernels/programs/barrier.py $p"; done | series barrier "barrier: ranks" 2 60
for p in 4 8 16 32; do echo "$p $mesh $p --payload=262144 --arg CHUNK=4096"; done | series ranks "mesh of 256 KiB: ranks" 2 5
for kib in 64 256 1024 4096; do echo "$kib $mesh 8 --payload=$((kib * 1024)) --arg CHUNK=4096"; done |
    series payload "mesh of 8 ranks: KiB a rank" 1 5
ulimit -v 4194304
echo "64 $mesh 64 --payload=4194304 --arg CHUNK=4096" | series large "mesh of 4 MiB within 4 GiB of memory: ranks" 2 60
