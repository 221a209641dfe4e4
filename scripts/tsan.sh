#!/usr/bin/env bash
# Campaigns on several threads under ThreadSanitizer: any report makes the program exit with code 66.
set -eu
bench=${FENCEBENCH:-build/tsan/fencebench}
export TSAN_OPTIONS="halt_on_error=1 exitcode=66"
kernels=kernels
found() { "$@" > /dev/null || [ $? -eq 1 ]; }
found "$bench" check -j 4 --runs=130 --model=a2a3,weakest $kernels/put_ring.py $kernels/scalar_publish.py
found "$bench" sweep -j 4 --runs=20 -P 2 $kernels/scalar_publish.py
found "$bench" sweep -j 4 --runs=4 -P 2,3 --max-states=300 --origins=R1 $kernels/expert_dispatch.py $kernels/relay.py
found "$bench" flushes -j 4 --runs=2 -P 2,4
found "$bench" explore -j 4 -P 2 --arg SIZE=8 --arg CHUNK=8 $kernels/mesh_allreduce.py
found "$bench" litmus -j 4 --explore --model a2a3,weakest litmus/catalogue/recipe
echo "ThreadSanitizer: no report"
