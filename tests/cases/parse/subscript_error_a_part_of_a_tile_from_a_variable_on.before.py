import pypto.language as pl
import pypto.language.distributed as pld
@pl.function(type=pl.FunctionType.InCore)
def k(out: pl.Tensor[[64, 128], pl.FP32], n: pl.Scalar[pl.INDEX]):
    t = pl.load(out, [0, 0], [64, 128])
    u = t[:, n:]
