# test: memory=o@0 passes=all
# Without a host the orchestrator runs on each rank: the kernel of the scope doubles one row in each round. x holds
# (5 i + 3 rank) mod 7 + 1 at element i.
import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(self, x: pl.Tensor[[2, 16], pl.FP32], o: pl.Out[pl.Tensor[[2, 16], pl.FP32]]) -> pl.Tensor[[2, 16], pl.FP32]:
        for k in pl.range(2):
            with pl.at(level=pl.Level.CORE_GROUP):
                t = pl.load(x, [k, 0], [1, 16])
                o = pl.store(pl.add(t, t), [k, 0], o)
        return o
