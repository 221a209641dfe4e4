#!/usr/bin/env bash
# Regenerates every file of results/ and the blocks of README and docs that show them.
set -eu
bench=${FENCEBENCH:-build/fencebench}
out=${OUT:-results}
kernels=kernels
catalogue=litmus/catalogue
mkdir -p "$out"

found() { "$@" || [ $? -eq 1 ]; }
# A sweep some of whose mutants have too many states for a proof ends with 3.
unproved() { "$@" || case $? in 1 | 3) ;; *) false ;; esac; }
# A session as a reader would type it: the command, then what it prints. Build ids change with every commit.
session() {
    echo "\$ fencebench $*" | sed "s#$(echo $kernels/*.py)#$kernels/*.py#"
    unproved "$bench" "$@" | sed -E 's/ +\(build [^)]*\)//'
}

FENCEBENCH=$bench bash scripts/contrast.sh > "$out/contrast.txt"
session check --table --markers=off --runs=200 --model=all $kernels/*.py > "$out/markers-off.txt"
session check --table --runs=1000 --model=all $kernels/*.py > "$out/markers-on.txt"
session check --table --runs=1000 --model=all --toolchain=proposed-drain $kernels/*.py > "$out/proposed-drain.txt"
session check --table --runs=1000 --model=a2a3,a2a3-blocking --toolchain=ptoas-0.52 $kernels/*.py > "$out/ptoas-0.52.txt"
session check --table --runs=1000 --model=all --rules=proposed --toolchain=proposed-drain $kernels/*.py > "$out/closed.txt"
{
    for hole in get_plain put_from_plain store_read_back local_read_credit; do
        session explore -P 2 $kernels/$hole.py
        echo
    done
    session explore -P 2 --model=weakest $kernels/store_read_back_first_line.py
    for hole in get_plain put_from_plain store_read_back local_read_credit store_read_back_first_line; do
        echo
        session explore -P 2 --model=weakest --rules=proposed --toolchain=proposed-drain $kernels/$hole.py
    done
} > "$out/holes.txt"
{
    session check -P 2 --findings=1 $kernels/scalar_publish.py
    echo
    session check -P 2 --toolchain=proposed $kernels/scalar_publish.py
} > "$out/session.txt"
{
    session explore -P 2 --arg SIZE=8 --arg CHUNK=8 $kernels/mesh_allreduce.py
    echo
    session explore -P 2 --arg SIZE=8 --arg CHUNK=8 --toolchain=proposed-drain $kernels/mesh_allreduce.py
    echo
    session explore -P 2 --arg TOKENS=1 --arg DIM=1 $kernels/expert_dispatch.py
    echo
    session explore -P 2 --arg SIZE=8 --arg CHUNK=8 $kernels/put_ring.py
} > "$out/explore.txt"
# Site 6: the dsb of the fence behind the put.
session explore -P 2 --arg SIZE=8 --arg CHUNK=8 --remove=6 --witness $kernels/put_ring.py > "$out/explore-removed.txt"
{
    session litmus --explore $catalogue/h09-batched-waits/H09-one-invalidate-after-all.litmus
    session litmus --driver=random --runs=1000 $catalogue/h01-stale-line/H01-cached-before-wait.litmus
} | sed '/^Time /d; /^Summary /G' | sed '$d' > "$out/litmus-example.txt"
{
    session equiv --model=all $catalogue/h09-batched-waits/H09-invalidate-per-wait.litmus \
        $catalogue/h09-batched-waits/H09-one-invalidate-after-all.litmus
    echo
    session equiv --model=all $catalogue/h21-invalidate-writes-back/H21-clean-before-grant.litmus \
        $catalogue/h21-invalidate-writes-back/H21-dirty-line-over-payload.litmus
} > "$out/litmus-equiv.txt"
session litmus --explore --witness $catalogue/h04-dma-with-scalar/H04-dirty-line-over-dma.litmus | sed '/^Time /d' \
    > "$out/litmus-witness.txt"
session check -P 2 --findings=1 --runs=1000 $kernels/mesh_allreduce.py > "$out/mesh-overrun.txt"
session check -P 2 --findings=1 --runs=1000 --toolchain=ptoas-0.52 $kernels/remote_store_push.py > "$out/ptoas-0.52-gap.txt"
session check -P 2 --findings=2 $kernels/all_to_all_v.py > "$out/packed-set.txt"
session check -P 2,4 --window-align=32 --findings=1 --runs=300 $kernels/scalar_publish_first_line.py $kernels/put_ring.py \
    $kernels/expert_dispatch.py $kernels/notify_wait_tag.py > "$out/packed-windows.txt"
session run --timing=typical kernels/host/late_ranks.py > "$out/host-grouping.txt"
{
    session check --model=kernels/host/two_cores_dirty.model --toolchain=./kernels/host/no_tail.toolchain kernels/host/wait_then_read.py
    echo
    session check --model=kernels/host/two_cores.model --toolchain=./kernels/host/no_tail.toolchain kernels/host/wait_then_read.py
    echo
    session check kernels/host/shared_line.py
    echo
    session check --window-align=64 kernels/host/shared_line.py
} > "$out/host-hazards.txt"
{
    session check -P 2 --runs=1000 --findings=1 kernels/host/allreduce_mesh.py
    echo
    session check --runs=1000 --findings=1 kernels/host/allreduce_ring.py
} > "$out/host-collectives.txt"
session sweep -P 2 --runs=500 --model=a2a3,a2a3-blocking,a2a3-evict,weakest --origins=W1,W2,W3,R1,codegen,tail \
    --csv="$out/sweep.csv" $kernels/expert_dispatch.py $kernels/mesh_allreduce.py $kernels/scalar_publish.py \
    $kernels/scalar_read_after_wait.py > "$out/sweep.txt"
session sweep -P 2 --runs=500 --origins=W1,W2,R1 $kernels/expert_dispatch.py $kernels/mesh_allreduce.py \
    > "$out/sweep-session.txt"
session flushes -P 1,2,3,4,6,8,12,16 --runs=100 --csv="$out/flushes.csv" > "$out/flushes.txt" 2> /dev/null
"$bench" plot --kind=flushes --out="$out/flushes" "$out/flushes.csv"
"$bench" plot --kind=time --out="$out/time-saved" "$out/flushes.csv"
# `make sweeps` makes the pages of all kernels, which takes long; these take a minute, and the page over all is made anew.
KERNELS=$(echo $kernels/{mesh_allreduce,put_ring,remote_store_push,scalar_publish,scalar_read_after_wait}.py) \
    FENCEBENCH=$bench OUT=$out bash scripts/sweeps.sh
"$bench" rules --markdown > "$out/rules.md"
"$bench" passes --markdown > "$out/passes.md"
FENCEBENCH=$bench bash scripts/semantics.sh > "$out/semantics.md"
FENCEBENCH=$bench OUT=$out bash scripts/lint.sh
FENCEBENCH=$bench OUT=$out bash scripts/matrix.sh
FENCEBENCH=$bench bash scripts/batching.sh > "$out/batching.md"
# The tables alone, for the findings: from the command to the first difference.
awk '/^\$ fencebench/ { if (n++) print ""; on = 1 } /^(```)?$/ { on = 0 } on' "$out/batching.md" > "$out/batching.txt"
bash scripts/embed.sh README.md docs/findings.md docs/litmus.md docs/passes.md docs/rules.md docs/semantics.md
