# test: passes=ConvertToSSA,OutlineIncoreScopes
# A kernel with regions of pl.split_aiv says so; it says how they are halved where all are halved alike.
import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(self, x: pl.Tensor[[16, 16], pl.FP32], o: pl.Out[pl.Tensor[[16, 16], pl.FP32]]) -> pl.Tensor[[16, 16], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="alike"):
            for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
                t = pl.load(x, [0, 0], [16, 16])
                o = pl.store(t, [0, 0], o)
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="unlike"):
            for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
                t = pl.load(x, [0, 0], [16, 16])
                o = pl.store(t, [0, 0], o)
            for lane in pl.split_aiv(2, mode=pl.SplitMode.NONE):
                u = pl.load(x, [lane * 8, 0], [8, 16])
                o = pl.store(u, [lane * 8, 0], o)
        return o
