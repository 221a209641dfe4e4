import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function
    def main(self, a: pl.Tensor[[16, 32], pl.FP32], b: pl.Tensor[[32, 16], pl.FP32], o: pl.Out[pl.Tensor[[16, 16], pl.FP32]]):
        with pl.at(level=pl.Level.CORE_GROUP):
            c: pl.Tensor[[16, 16], pl.FP32] = pl.tensor.matmul(a, b)
            for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
                r: pl.Tensor[[8, 16], pl.FP32] = pl.tensor.aiv_shard(c)
                o = pl.tensor.assemble(o, r, [lane * 8, 0])
                w: pl.Tensor[[16, 16], pl.FP32] = pl.tensor.aic_gather(r)
            for lane in pl.split_aiv(2, mode=pl.SplitMode.LEFT_RIGHT):
                k: pl.Tensor[[16, 8], pl.FP32] = pl.tensor.aiv_shard(c)
            for lane in pl.split_aiv(2, mode=pl.SplitMode.NONE):
                e: pl.Tensor[[16, 16], pl.FP32] = pl.tensor.aiv_shard(c)
