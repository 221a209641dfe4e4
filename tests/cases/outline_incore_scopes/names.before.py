# test: passes=ConvertToSSA,OutlineIncoreScopes
# A name_hint names the kernel; the number of a scope without one counts those before it too. A name that this function
# has used gets a number, one that another function has gets this function's name in front. The functions are taken in
# the order of their names: 'helper' is named first.
import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(self, x: pl.Tensor[[64], pl.FP32], o: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="copy"):
            t = pl.load(x, [0], [64])
            o = pl.store(t, [0], o)
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="own"):
            t = pl.load(x, [0], [64])
            o = pl.store(t, [0], o)
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="own"):
            t = pl.load(x, [0], [64])
            o = pl.store(t, [0], o)
        with pl.at(level=pl.Level.CORE_GROUP):
            t = pl.load(x, [0], [64])
            o = pl.store(t, [0], o)
        return o

    @pl.function(type=pl.FunctionType.Orchestration)
    def helper(self, x: pl.Tensor[[64], pl.FP32], o: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="copy"):
            t = pl.load(x, [0], [64])
            o = pl.store(t, [0], o)
        return o
