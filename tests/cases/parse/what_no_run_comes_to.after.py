import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, o: pl.Out[pl.Tensor[[1, 16], pl.FP32]]):
        if 16 < 16:
            o = pl.tensor.assemble(o, pl.tensor.full([1, 0], dtype=pl.FP32, value=0.0), [0, 16])
        else:
            o = pl.tensor.assemble(o, pl.tensor.full([1, 16], dtype=pl.FP32, value=0.0), [0, 0])
