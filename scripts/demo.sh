#!/usr/bin/env bash
# The main job in a minute: what the markers do, which one matters, what they cost. Pictures go to $OUT.
set -eu
bench=${FENCEBENCH:-build/fencebench}
out=${OUT:-build/demo}
kernels=kernels
mkdir -p "$out"

# Exit code 1 says that something was found, which is what a demo is for; anything else is an error.
found() { "$@" || [ $? -eq 1 ]; }
unproved() { "$@" || case $? in 1 | 3) ;; *) false ;; esac; }
title() { printf '\n=== %s\n\n' "$*"; }

title "1. Without markers: a sequentially consistent simulator sees nothing, a benign machine little, a real one all"
found "$bench" check --table --markers=off --runs=60 --model=sc,benign,a2a3,a2a3-evict,weakest $kernels/*.py

title "2. With the compiler's markers"
found "$bench" check --table --runs=100 --model=sc,benign,a2a3,a2a3-blocking,a2a3-evict,weakest $kernels/*.py

title "3. What is left, and why"
found "$bench" check --runs=100 -P 2 --findings=1 $kernels/scalar_publish.py $kernels/mesh_allreduce.py
echo
found "$bench" check --runs=100 -P 2 --findings=1 --toolchain=proposed-drain $kernels/scalar_publish.py $kernels/mesh_allreduce.py
echo
found "$bench" check --table --runs=300 -P 2 --toolchain=ptoas-0.52 --model=a2a3,a2a3-blocking \
    $kernels/ring_allreduce.py $kernels/mesh_allreduce.py $kernels/remote_store_push.py $kernels/two_kernel.py

title "4. Which marker matters: every single removal"
# 3: some mutants have too many states for a proof.
unproved "$bench" sweep -P 2 --runs=100 --origins=W1,W2,W3,R1,codegen,tail --model=a2a3,a2a3-evict,weakest --csv="$out/sweep.csv" \
    $kernels/expert_dispatch.py $kernels/mesh_allreduce.py $kernels/scalar_publish.py $kernels/scalar_read_after_wait.py

title "5. What the invalidates cost: one after each wait, and batched"
found "$bench" flushes --csv="$out/flushes.csv" --runs=3 2>/dev/null

title "6. Pictures"
"$bench" plot --kind=flushes --out="$out/flushes" "$out/flushes.csv"
"$bench" plot --kind=time --out="$out/time-saved" "$out/flushes.csv"
"$bench" plot --kind=heatmap --out="$out/removals" "$out/sweep.csv"
ls "$out"/*.svg "$out"/*.png
