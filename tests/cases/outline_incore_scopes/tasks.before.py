# test: passes=ConvertToSSA,OutlineIncoreScopes
# A scope that is a task becomes a launch, whose last value is the task; what it waits for, and that it may resolve
# early, are keywords of the launch. deps= alone makes it one too. no_dep_args= becomes the places of the arguments.
import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(self, x: pl.Tensor[[64], pl.FP32], o: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP) as first:
            t = pl.load(x, [0], [64])
            o = pl.store(t, [0], o)
        with pl.at(level=pl.Level.CORE_GROUP, deps=[first], allow_early_resolve=True):
            t = pl.load(x, [0], [64])
            o = pl.store(t, [0], o)
        with pl.at(level=pl.Level.CORE_GROUP, no_dep_args=[x]):
            t = pl.load(x, [0], [64])
            o = pl.store(t, [0], o)
        return o
