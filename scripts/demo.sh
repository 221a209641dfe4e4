#!/usr/bin/env bash
# The main job in half a minute: what the markers do, which one matters, what they cost. Prints a page and a summary; the
# whole tables and the pictures go to $OUT.
set -eu
bench=${FENCEBENCH:-build/fencebench}
out=${OUT:-build/demo}
kernels=kernels
mkdir -p "$out"

# Exit code 1 says that something was found, which is what a demo is for, 3 that some mutants have too many states for a
# proof; anything else is an error.
found() { "$@" || case $? in 1 | 3) ;; *) false ;; esac; }
title() { printf '\n=== %s\n\n' "$*"; }

bash scripts/contrast.sh

title "A finding: a store beyond the first 64 bytes of a window is never published"
found "$bench" check --runs=100 -P 2 --findings=1 $kernels/scalar_publish.py

title "A proof: every reachable state, once"
found "$bench" explore -P 2 $kernels/put_ring.py
found "$bench" explore -P 2 --arg TOKENS=1 --arg DIM=1 $kernels/expert_dispatch.py

title "All kernels, all markers, all costs: in $out"
{
    found "$bench" check --table --markers=off --runs=60 --model=sc,benign,a2a3,a2a3-evict,weakest \
        --csv="$out/markers-off.csv" $kernels/*.py
    found "$bench" check --table --runs=100 --model=sc,benign,a2a3,a2a3-evict,weakest --csv="$out/markers-on.csv" $kernels/*.py
} > "$out/check.txt"
found "$bench" sweep -P 2 --runs=100 --origins=W1,W2,W3,R1 --model=a2a3,a2a3-evict --csv="$out/sweep.csv" \
    $kernels/expert_dispatch.py $kernels/mesh_allreduce.py $kernels/scalar_publish.py $kernels/scalar_read_after_wait.py \
    > "$out/sweep.txt"
found "$bench" flushes --csv="$out/flushes.csv" --runs=10 > "$out/flushes.txt" 2> /dev/null
"$bench" plot --kind=flushes --out="$out/flushes" "$out/flushes.csv"
"$bench" plot --kind=time --out="$out/time-saved" "$out/flushes.csv"
"$bench" plot --kind=heatmap --out="$out/removals" "$out/sweep.csv"
(cd "$out" && ls ./*.txt ./*.csv ./*.svg | sed 's#^\./#    #')

title "In five sentences"
bash scripts/summary.sh "$out"
