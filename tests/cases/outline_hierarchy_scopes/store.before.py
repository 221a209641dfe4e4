# test: passes=ConvertToSSA,OutlineHierarchyScopes
# What such a scope stores into is written where it lies: the tensor is a parameter, which is not returned, and keeps its
# name behind the call. (The compiler leaves a name behind that nothing defines.)
import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(self, x: pl.Tensor[[64], pl.FP32], o: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        with pl.at(level=pl.Level.CHIP):
            t = pl.load(x, [0], [64])
            o = pl.store(t, [0], o)
        return o
