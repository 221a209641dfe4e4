# test: ranks=2
# Nothing is a HOST orchestrator: each rank runs the chip's once, all in one submission. The scope in its loop is a kernel,
# launched in each round; the launch in blocks waits for the last one, whose tensor it takes.
import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(self, x: pl.Tensor[[4, 8], pl.FP32], o: pl.Out[pl.Tensor[[4, 8], pl.FP32]]) -> pl.Tensor[[4, 8], pl.FP32]:
        for k in pl.range(2):
            with pl.at(level=pl.Level.CORE_GROUP, name_hint="twice"):
                t = pl.load(x, [k, 0], [1, 8])
                o = pl.store(pl.add(t, t), [k, 0], o)
        for b in pl.spmd(2, name_hint="rest"):
            t = pl.load(o, [b, 0], [1, 8])
            o = pl.store(t, [b + 2, 0], o)
        return o
