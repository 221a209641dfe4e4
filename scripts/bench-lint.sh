#!/usr/bin/env bash
# Speed of lint: processor time of the check alone, on kernels that grow; against a ceiling at 50 KB, and a line.
set -eu
bench=${FENCEBENCH:-build/fencebench}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ceiling=0.050

# kernel N: a kernel of N rounds, each of loops with a store, a read, a notify, a wait and a load of a peer's row.
kernel() {
    cat << 'END'
# fencebench: ranks 2
import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class Long:
    @pl.function(type=pl.FunctionType.InCore)
    def f(
        self,
        inp: pl.Tensor[[64, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[64, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[64, 1], pl.INT32]],
        words: pl.InOut[pl.Tensor[[64, 16], pl.INT32]],
        out: pl.InOut[pl.Tensor[[64, 16], pl.INT32]],
    ):
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)
END
    for ((i = 0; i < $1; i++)); do
        cat << END
        for row$i in pl.range(8):
            a$i = pl.load(inp, [row$i, 0], [1, 16])
            pl.store(a$i, [row$i, 0], win)
            if row$i < $((i % 7)):
                word$i = pl.read(win, [row$i, $((i % 16))])
                pl.write(words, [row$i, 0], word$i)
        for peer$i in pl.range(nranks):
            if peer$i != me:
                pld.system.notify(sig, peer$i, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        for src$i in pl.range(nranks):
            if src$i != me:
                pld.system.wait(sig, [src$i, 0], $((i + 1)), cmp=pld.WaitCmp.Ge)
                r$i = pld.tile.remote_load(win, src$i, [0, 0], [1, 16])
                pl.store(r$i, [$((i % 64)), 0], out)
END
    done
}

# seconds FILE: the best of 5.
seconds() {
    for _ in 1 2 3 4 5; do
        { "$bench" lint --json "$1" || [ $? -eq 1 ]; } | sed -n 's/.*"seconds": *\([0-9.e-]*\).*/\1/p'
    done | sort -g | sed -n 1p
}

declare -A time
for rounds in 20 40 80 160 320; do
    kernel $rounds > "$work/long.py"
    time[$rounds]=$(seconds "$work/long.py")
    awk -v bytes="$(stat -c %s "$work/long.py")" -v s="${time[$rounds]}" 'BEGIN {
        printf "%6.1f KB: %5.1f ms, %.2f ms a KB\n", bytes / 1024, 1000 * s, 1000 * s / (bytes / 1024) }'
done
awk -v s="${time[80]}" -v most=$ceiling 'BEGIN {
    printf "ceiling at 50 KB: %.0f ms\n", 1000 * most; exit s > most }' || { echo "above the ceiling"; exit 1; }
# Four times the text takes at the most six times as long.
awk -v a="${time[80]}" -v b="${time[320]}" 'BEGIN { exit b > 6 * a }' || { echo "more than a line"; exit 1; }
