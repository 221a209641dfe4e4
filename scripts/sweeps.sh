#!/usr/bin/env bash
# A page and a picture of each kernel that has markers: results/sweep. RANKS and STATES bound the work; a mutant beyond
# them is "not observed", which the pages say. KERNELS are the files, by default all.
set -euo pipefail
bench=${FENCEBENCH:-build/fencebench}
out=${OUT:-results}/sweep
runs=${RUNS:-50}
states=${STATES:-20000}
contracts=a2a3,a2a3-blocking,a2a3-evict

# Two ranks alone where four have too many states, two of them for the findings of their own, or take long.
two=" all_to_all_v expert_dispatch lanes_push_ring local_read_credit "
# With --fail-on nothing, 1 says that the kernel itself has findings, 3 that some mutant has no proof.
unproved() { "$@" || case $? in 1 | 3) ;; *) false ;; esac; }

mkdir -p "$out"
for file in ${KERNELS:-kernels/*.py}; do
    kernel=$(basename "$file" .py)
    # What a printed program after some passes says is what the kernel says that it was printed from.
    case $kernel in *_ssa) continue ;; esac
    ranks=2,4
    [[ $two != *" $kernel "* ]] || ranks=2
    unproved "$bench" sweep -P "$ranks" --runs="$runs" --max-states="$states" --model=$contracts --report="$out" "$file" \
        > /dev/null
done
