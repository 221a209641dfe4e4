# pypto-front-facts 3.1: a parameter that the body rebinds rebinds the caller's variable; other names get the number of the call
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.Inline)
    def put(self, x: pl.Tensor[[1, 8], pl.FP32], out: pl.Out[pl.Tensor[[1, 8], pl.FP32]]):
        t: pl.Tile[[1, 8], pl.FP32] = pl.tile.load(x, [0, 0], [1, 8], [1, 8])
        out = pl.tile.store(t, [0, 0], out)
        return out
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, a: pl.Tensor[[1, 8], pl.FP32], q: pl.Out[pl.Tensor[[1, 8], pl.FP32]]):
        q = self.put(a, q)
        q = self.put(a, q)
        return q
