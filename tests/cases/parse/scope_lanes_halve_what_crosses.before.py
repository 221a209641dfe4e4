# What crosses between the cores in a region of vector lanes is halved as the region says, and the text does not repeat it: the
# halves of rows go to one lane each, those of columns, or the whole to both (pypto-ops-facts 1.2, 3.2).
import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(self, a: pl.Tensor[[16, 32], pl.FP32], b: pl.Tensor[[32, 16], pl.FP32], o: pl.Out[pl.Tensor[[16, 16], pl.FP32]]):
        with pl.at(level=pl.Level.CORE_GROUP):
            c = pl.matmul(a, b)
            for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
                r = pl.aiv_shard(c)
                o[lane * 8 : lane * 8 + 8, 0:16] = r
                w = pl.aic_gather(r)
            for lane in pl.split_aiv(2, mode=pl.SplitMode.LEFT_RIGHT):
                k = pl.aiv_shard(c)
            for lane in pl.split_aiv(2, mode=pl.SplitMode.NONE):
                e = pl.aiv_shard(c)
