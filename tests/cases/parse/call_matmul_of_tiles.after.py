import pypto.language as pl
import pypto.language.distributed as pld
@pl.function(type=pl.FunctionType.AIC)
def k(a: pl.Tensor[[16, 16], pl.FP16], b: pl.Tensor[[16, 16], pl.INT8]):
    x: pl.Tile[[16, 16], pl.FP16] = pl.tile.load(a, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Mat)
    y: pl.Tile[[16, 16], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(x, x)
    y = pl.tile.matmul_acc(y, x, x)
    v: pl.Tile[[16, 16], pl.INT8] = pl.tile.load(b, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Mat)
    w: pl.Tile[[16, 16], pl.INT32, pl.Mem.Acc] = pl.tile.matmul(v, v)
    u: pl.Tile[[16, 16], pl.INT32, pl.Mem.Acc] = pl.tile.matmul(v, v)
