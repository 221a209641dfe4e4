# test: passes=ConvertToSSA,OutlineIncoreScopes
# A store without a name in a branch: behind the branch the tensor has the name that it had before, because the call's
# name is of the branch alone. It is the same memory.
import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(self, n: pl.Scalar[pl.INDEX], x: pl.Tensor[[64], pl.FP32], o: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        if n < 2:
            with pl.at(level=pl.Level.CORE_GROUP):
                t = pl.load(x, [n], [16])
                pl.store(t, [0], o)
        return o
