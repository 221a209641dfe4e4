#!/usr/bin/env bash
# results/flushes.md: what batching the invalidate behind waits saves, as one page with its pictures and tables, and
# results/saving.md, every figure behind it. Takes the prediction from results/calibration-prediction.md (make calibrate).
set -eu
bench=${FENCEBENCH:-build/fencebench}
source scripts/explored.sh
out=${OUT:-results}
kernels=kernels
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
collectives="$kernels/reduce_scatter.py $kernels/allgather_put.py $kernels/broadcast_get.py"

# Findings are none of this page's business (exit code 1).
run() { "$bench" flushes "$@" > /dev/null 2> /dev/null || [ $? -eq 1 ]; }
# What a table of CSV files has: the header of the first, the rows of all.
join() { awk 'FNR == 1 && NR > 1 { next } 1' "$@"; }

# The sizes. A mesh moves its payload P times and waits once a chunk (16 KiB) and peer, a ring has 4 (P - 1)^2 waits a rank
# and sub-chunk: each goes as far as minutes of a core do.
run -P 2,4,8,16,32,64 --payload=4096 --runs=15 --csv="$work/small.csv" $collectives
run -P 2,4,8,16 --payload=65536,1048576 --runs=5 --csv="$work/collectives.csv" $collectives
run -P 2,4,8,16,32,64 --payload=4096 --runs=15 --csv="$work/mesh.csv" --arg CHUNK=1024 $kernels/mesh_allreduce.py
run -P 2,4,8,16,32,64 --payload=65536 --runs=15 --csv="$work/large.csv" --arg CHUNK=4096 $kernels/mesh_allreduce.py
run -P 2,4,8,16,32 --payload=262144,1048576 --runs=5 --csv="$work/larger.csv" --arg CHUNK=4096 $kernels/mesh_allreduce.py
run -P 2,4,8,16 --payload=4194304 --runs=3 --csv="$work/largest.csv" --arg CHUNK=4096 $kernels/mesh_allreduce.py
run -P 2,4,8,16,32,64 --payload=4096 --runs=3 --arg SUB=1024 --csv="$work/ring.csv" $kernels/ring_allreduce.py
run -P 128 --payload=4096 --runs=1 --max-transitions=1000000000 --arg SUB=1024 --csv="$work/longest.csv" $kernels/ring_allreduce.py
run -P 2,4,8,16,32,64 --runs=50 --csv="$work/barrier.csv" $kernels/programs/barrier.py
run -P 128,256,512 --runs=3 --csv="$work/more.csv" $kernels/programs/barrier.py
run -P 1024 --runs=1 --csv="$work/most.csv" $kernels/programs/barrier.py
join "$work"/{mesh,large,larger,largest,ring,longest,small,collectives,barrier,more,most}.csv > "$out/saving.csv"

# Both forms of the pass beyond the compiler's, and each toolchain, at one size.
forms="none loops lines use"
formed="$kernels/mesh_allreduce.py $kernels/ring_allreduce.py $collectives $kernels/scalar_read_after_wait.py $kernels/expert_dispatch.py $kernels/all_to_all_v.py"
run -P 4,8 --runs=20 --compare="${forms// /,}" --csv="$out/saving-modes.csv" $formed
run -P 4,8 --runs=20 --toolchain=ptoas-0.50,ptoas-0.52,ptoas-0.57,proposed,proposed-drain --csv="$out/saving-toolchains.csv" \
    $kernels/mesh_allreduce.py

# verdicts KERNEL MODEL [ARGUMENT..]: what exploring says of each form at two ranks, as a row.
verdicts() {
    local kernel=$1 model=$2 row form
    shift 2
    row="| $(basename "$kernel" .py) | $(basename "$model" .model) |"
    for form in $forms; do
        row+=" $(explored "$kernel" -P 2 --model="$model" --batch="$form" --max-states=100000 "$@") |"
    done
    echo "$row"
}
{
    echo "| kernel | contract | ${forms// / | } |"
    echo "|---|---|---|---|---|---|"
    for kernel in $formed; do
        for model in a2a3 a2a3-blocking a2a3-evict; do verdicts "$kernel" "$model"; done
    done
    verdicts "$kernels/host/wait_then_read.py" "$kernels/host/one_core_dirty.model" --toolchain="./$kernels/host/no_tail.toolchain"
} > "$work/verdicts.md"

plot() { "$bench" plot "$@"; }
plot --kind=flushes --payload=4096 --out="$out/saving-flushes" "$out/saving.csv"
plot --kind=time --payload=4096 --out="$out/saving-ranks" "$out/saving.csv"
plot --kind=payload --where=ranks=4 --where=kernel=mesh_allreduce --out="$out/saving-payload" "$out/saving.csv"
plot --kind=breakdown --where=kernel=mesh_allreduce --where=payload_bytes=65536 --out="$out/saving-breakdown" "$out/saving.csv"
awk -F, 'NR == 1 || ($4 == "none" || $4 == "loops")' "$out/saving-modes.csv" > "$work/two.csv"
plot --kind=refills --where=ranks=4 --out="$out/saving-refills" "$work/two.csv"

left_out='Left out: a mesh beyond 16 ranks at 4 MiB and 32 at 1 MiB, other collectives beyond 16 at 64 KiB, which take minutes of a
core each; and a ring beyond 128. A ring has a barrier of all ranks twice a step: 4 P (P - 1)² notifies and as many waits altogether,
eight times as many for twice the ranks, where a barrier has P (P - 1). A run takes ten times as long for twice the ranks (0.2 s of a
core at 16, 2 at 32, 15 at 64) and six to eight times the memory (0.7 GB at 64): 256 ranks need 40 GB, and 1,024 more than a day. A
barrier of 1,024 ranks and a ring of 128 are one run each, without an interval.'

table() { python3 scripts/saving_table.py "$@"; }

{
    cat << 'END'
# What one invalidate for a loop of waits saves

Written by `make saving`; the model is `a2a3`, the toolchain `ptoas-0.57`. [docs/calibration.md](../docs/calibration.md) has
the prediction's procedure, [docs/passes.md](../docs/passes.md#insertcommfence) the modes.

**The question.** The compiler puts an invalidate of the whole cache behind each wait. A barrier over P ranks has P - 1 waits in
a row and reads nothing between them: one invalidate behind the loop is enough. How many invalidates go, how much time, and does
anything else change?

* **Invalidates**: per rank and call from P - 1 to 1 for each barrier of the call, exactly; tests hold every collective to it
  up to P = 64.
* **Time**: what goes is the cost of the P - 2 others. The share grows with P, as the other costs of a barrier do too, and
  levels off. At P = 2 nothing goes.
* **Misses**: as many as before. Nothing is read between the waits of a loop, so the lines that the first invalidate drops
  are not there for the second. What is filled again (the rank's own number, from the context) is filled once a barrier either way.
* **Correctness**: [batching.md](batching.md) compares both forms under every contract.

Percent of the time of the slowest rank that one invalidate a loop saves, with the 95 % interval over seeds
([every figure](saving.md)):

END
    table ranks "$out/saving.csv" kernel payload_bytes=payload
    echo
    echo "$left_out"
    cat << 'END'

![Flushes against ranks](saving-flushes.svg)

![Time saved against ranks](saving-ranks.svg)

![Time saved against payload](saving-payload.svg)

![Where the time goes, before and after](saving-breakdown.svg)

![Misses that invalidates caused](saving-refills.svg)

## Prediction beside the devices

Both changes of the measured builds together: the invalidates batched, and no barrier of all pipes in front of a notify.
At P = 2 the first of them does nothing.

END
    if [ -f "$out/calibration-prediction.md" ]; then cat "$out/calibration-prediction.md"; else echo "(not made: run make calibrate)"; fi
    cat << 'END'

## Further than batching

`lines` invalidates only the lines that the function may read or write afterwards; `use` has one invalidate, in front of
the first cached access that needs it, and none where every read bypasses the cache. Neither is the compiler's. Both are right where
a task finds an empty cache (`task_entry_invalidate`), and refuted on a runtime without it
([docs/passes.md](../docs/passes.md#insertcommfence)).

END
    table pairs "$out/saving-modes.csv" kernel ranks=P
    cat << 'END'

All states at two ranks: proved, with their number; a finding; or more than 100,000. A mesh has its overrun,
an all-to-all of variable extents its races ([findings.md](../docs/findings.md)), in every form alike. `one_core_dirty` is the runtime
that leaves the cache alone at the start of a task, here with no tail of a kernel that would empty it.

END
    cat "$work/verdicts.md"
    printf '\n## By toolchain\n\n'
    table pairs "$out/saving-toolchains.csv" toolchain kernel ranks=P
} > "$out/flushes.md"

{
    cat << 'END'
# The figures behind flushes.md

Written by `make saving`. Flushes, dropped and written lines, misses, dsb and polls per rank and call; the parts of the slowest
core in cycles, which add up to `cycles`. Saved: percent of the time of `none`, of the same seeds. Intervals are 95 %, over seeds.

END
    echo "$left_out"
    rows() {
        table rows "$1" "${@:2}" kernel ranks=P payload_bytes=payload batch flushes_per_rank=flushes line_flushes \
            lines_dropped=dropped lines_written=written misses refills=caused polls cycles_mean=cycles cycles_low=from \
            cycles_high=to saved saved_low=from saved_high=to start scalar miss dcci dsb barrier poll flag task drain
    }
    printf '\n## Batched, by size\n\n'
    rows "$out/saving.csv"
    printf '\n## Further than batching\n\n'
    rows "$out/saving-modes.csv"
    printf '\n## By toolchain\n\n'
    rows "$out/saving-toolchains.csv" toolchain
} > "$out/saving.md"
