#!/usr/bin/env bash
# Runs kernels/programs, every collective and transfer from the host down, 1,000 times each on 2, 4 and 8 ranks under the
# contracts of a2a3: results/programs.txt and results/programs-witness.txt, and docs/findings.md, which quotes them.
set -euo pipefail
bench=${FENCEBENCH:-build/fencebench}
out=${OUT:-results}
collectives="all_to_all all_to_all_v allgather allreduce allreduce_ring barrier broadcast reduce_scatter"
found() { "$@" || [ $? -eq 1 ]; }
# As a reader would type it: the command, then what it prints.
session() {
    echo "\$ fencebench $*"
    found "$bench" "$@" | sed -E 's/ +\(build [^)]*\)//'
}
# table NAME.. -- OPTION..: the programs of these names.
table() {
    local files=()
    while [ "$1" != -- ]; do files+=("kernels/programs/$1.py") && shift; done
    shift
    session check --table --runs="${RUNS:-1000}" --model=a2a3,a2a3-blocking,a2a3-evict "$@" "${files[@]}"
    echo
}
witness() { session check --runs=200 --findings=1 "$@" && echo; }

mkdir -p "$out"
{
    # Called by a kernel; written out; the repaired ones; called by the host.
    table $collectives -- --arg HOW=0
    table $collectives allreduce_cores -- --arg HOW=1
    table all_to_all_v allreduce allreduce_cores broadcast -- --arg HOW=1 --arg REPAIR=1
    table $collectives allreduce_cores -- --arg HOW=2
    table by_loads credits experts gets hosted_twice push_then_read puts remote_stores set_barrier tags twice --
    table by_loads gets puts remote_stores twice -- --arg FORM=1
    table by_loads puts twice -- --arg FORM=2
    table by_loads puts -- --arg FORM=3
    table set_barrier -- --arg REPAIR=1
} | sed '$d' > "$out/programs.txt"
{
    witness -P 2 --arg HOW=0 kernels/programs/allreduce.py
    witness -P 2 --arg HOW=0 kernels/programs/broadcast.py
    witness -P 2 --arg HOW=0 kernels/programs/all_to_all_v.py
    witness -P 2 --arg HOW=2 kernels/programs/allreduce_cores.py
    witness -P 2 --arg HOW=2 kernels/programs/allreduce_ring.py
    witness -P 2 --arg HOW=2 kernels/programs/broadcast.py
    witness -P 4 kernels/programs/set_barrier.py
} | sed '$d' > "$out/programs-witness.txt"
bash scripts/embed.sh docs/findings.md
