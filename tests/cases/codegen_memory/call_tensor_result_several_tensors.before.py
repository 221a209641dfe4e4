# tensor result, several tensors
# fencebench: arg n=3+rank
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class T:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[4, 16], pl.INT32], f: pl.Tensor[[4, 16], pl.FP32], win: pl.InOut[pld.DistributedTensor[[4, 16], pl.INT32]], half: pl.InOut[pld.DistributedTensor[[2, 8], pl.INT32]], fwin: pl.InOut[pld.DistributedTensor[[4, 16], pl.FP32]], sig: pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]], out: pl.InOut[pl.Tensor[[4, 16], pl.INT32]], fout: pl.InOut[pl.Tensor[[4, 16], pl.FP32]], n: pl.Scalar[pl.INT32]):
        """The body starts in the next line."""
        a = self.save(x, win)
        b = self.save(x, out)
        pl.tensor.write(b, [0, 3], 60)
    @pl.function(type=pl.FunctionType.InCore)
    def save(self, src: pl.Tensor[[4, 16], pl.INT32], dst: pl.InOut[pl.Tensor[[4, 16], pl.INT32]]) -> pl.Tensor[[4, 16], pl.INT32]:
        t = pl.load(src, [1, 0], [1, 16])
        r = pl.store(t, [0, 0], dst)
        return r
