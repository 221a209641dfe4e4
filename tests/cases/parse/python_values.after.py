import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class Prog:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[4, 5], pl.FP32], y: pl.Tensor[[10, 25], pl.FP16], w: pl.InOut[pld.DistributedTensor[[16], pl.FP32]]):
        pl.test.use(2.5, 'large', 4, 8, 7, 6, 7, SIZE=[4, 5, 6], op=pld.AtomicType.Add, flag=True)
        t: pl.Tile[[16], pl.FP32] = pl.tile.load(w, [0], [16], [16])
        pld.tensor.put(w, 1, w, atomic=pl.AtomicType.Add)
        n: pl.Scalar[pl.INDEX] = 1
        pl.test.use(n + 1)
