# test: passes=ConvertToSSA,OutlineIncoreScopes
# Left alone: scopes of another level, an Opaque function without a core scope, and the launches in an InCore function,
# whose blocks all run what that holds.
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[64], pl.FP32], o: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        for i in pl.spmd(4):
            t = pl.load(x, [i * 16], [16])
            o = pl.store(t, [i * 16], o)
        return o

    @pl.function
    def main(self, x: pl.Tensor[[64], pl.FP32], o: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        with pl.at(level=pl.Level.CHIP):
            o = self.kernel(x, o)
        return o
