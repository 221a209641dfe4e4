# test: passes=ConvertToSSA,OutlineIncoreScopes
# What a tile is stored into is a parameter, and is what the kernel returns; the call gives it a new name. Nothing
# else leaves the scope. The function around it launches a kernel now, so it is an orchestrator of the chip.
import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(self, x: pl.Tensor[[64], pl.FP32], o: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            t = pl.load(x, [0], [64])
            u = pl.add(t, t)
            o = pl.store(u, [0], o)
        return o
