# test: memory=o@1 passes=all
# What one scope computes another one takes: between the two kernels it lies in a tensor of the orchestrator. o is
# 2 x x, x (5 i + 3 rank) mod 7 + 1.
import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(self, x: pl.Tensor[[2, 16], pl.FP32], o: pl.Out[pl.Tensor[[2, 16], pl.FP32]]) -> pl.Tensor[[2, 16], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            z = pl.add(x, x)
        with pl.at(level=pl.Level.CORE_GROUP):
            w = pl.mul(z, x)
            o = pl.assemble(o, w, [0, 0])
        return o
