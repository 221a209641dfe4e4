#!/usr/bin/env bash
# Speed of lint: processor time of the check alone, on kernels that grow and on what they are compiled to (.pto); against a
# ceiling at 50 KB, and a line. OUT/lint.svg shows time against size.
set -eu
bench=${FENCEBENCH:-build/fencebench}
out=${OUT:-build/bench}
mkdir -p "$out"
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

# row FILE: its size in KB and the milliseconds of the check, as a line of the file's kind.
row() {
    awk -v kind="${1##*.}" -v bytes="$(stat -c %s "$1")" -v s="$(seconds "$1")" 'BEGIN {
        printf "%-4s %7.1f KB: %5.1f ms, %.3f ms a KB\n", kind, bytes / 1024, 1000 * s, 1000 * s / (bytes / 1024) }'
}

# holds KIND: at 50 KB, between the rows around it, below the ceiling; four times the text takes at the most six times as long.
holds() {
    awk -v most=$ceiling -v kind="$1" '$1 == kind {
            n++; kb[n] = $2; ms[n] = $4
            if (n > 1 && kb[n - 1] <= 50 && kb[n] > 50)
                at = ms[n - 1] + (ms[n] - ms[n - 1]) * (50 - kb[n - 1]) / (kb[n] - kb[n - 1])
        }
        END {
            printf "%s: %.1f ms at 50 KB, ceiling %.0f ms\n", kind, at, 1000 * most
            if (!at || at > 1000 * most) { print "above the ceiling"; exit 1 }
            if (ms[n] / ms[n - 2] > 1.5 * kb[n] / kb[n - 2]) { print "more than a line"; exit 1 }
        }' "$work/rows"
}

: > "$work/rows"
for rounds in 5 10 20 40 80 160 320; do
    kernel $rounds > "$work/long.py"
    row "$work/long.py" | tee -a "$work/rows"
    [ $rounds -gt 80 ] || "$bench" compile --emit=pto -P 2 "$work/long.py" > "$work/long.pto"
    [ $rounds -gt 80 ] || row "$work/long.pto" | tee -a "$work/rows"
done
gnuplot -e "set terminal svg size 640,400; set output '$out/lint.svg'; set logscale xy; set key top left; set grid;
            set xlabel 'KB of text'; set ylabel 'milliseconds of one core';
            plot '< grep ^py $work/rows' using 2:4 with linespoints title 'kernels (.py)',
                 '< grep ^pto $work/rows' using 2:4 with linespoints title 'compiled (.pto)',
                 1000 * $ceiling * x / 50 with lines dashtype 2 title 'a line through the ceiling at 50 KB'"
holds py
holds pto
