import pypto.language as pl
import pypto.language.distributed as pld
@pl.function(type=pl.FunctionType.InCore)
def k(out: pl.Tensor[[64, 128], pl.FP32], src: pl.Tensor[[16, 8], pl.FP32]):
    some = pl.set_validshape(src, 16, 4)
    out[0:16, 0:6] = some
