# test: passes=ConvertToSSA,OutlineIncoreScopes
# In a loop the scope takes what the loop carries, and what it yields is what the kernel gives back: the parameter. The
# direction of a carried tensor is left to ConvertTensorToTileOps, as in the compiler.
import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(self, x: pl.Tensor[[64], pl.FP32], o: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        for i in pl.range(4):
            with pl.at(level=pl.Level.CORE_GROUP):
                t = pl.load(x, [i * 16], [16])
                o = pl.store(t, [i * 16], o)
        return o
