#!/usr/bin/env bash
# The reason for this tool in two small tables: the same kernels without the compiler's markers and with them, on a
# sequentially consistent machine, on one where nothing is ever late, and on the real one.
set -eu
bench=${FENCEBENCH:-build/fencebench}
for markers in off on; do
    options="--table -P 2 --runs=1000 --markers=$markers --model=sc,benign,a2a3,a2a3-evict"
    echo "\$ fencebench check $options kernels/{expert_dispatch,put_ring,ring_allreduce,remote_store_push,mesh_allreduce}.py"
    "$bench" check $options kernels/{expert_dispatch,put_ring,ring_allreduce,remote_store_push,mesh_allreduce}.py || [ $? -eq 1 ]
done
