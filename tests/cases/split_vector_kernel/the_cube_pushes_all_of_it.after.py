import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class T:
    @pl.function(type=pl.FunctionType.AIC)
    def kernel(self, x: pl.Tensor[[16, 16], pl.FP32], m: pl.InOut[pl.Tensor[[16, 16], pl.FP32]], o: pl.Out[pl.Tensor[[16, 16], pl.FP32]], s: pld.DistributedTensor[[4, 1], pl.INT32]):
        pl.func_attr({"split": pl.SplitMode.LEFT_RIGHT})
        b: pl.Scalar[pl.INT32] = pl.system.import_peer_buffer(name='p', peer_func='vec')
        pl.system.aic_initialize_pipe(b, pl.const(0, pl.INT32), dir_mask=1, slot_size=1024, slot_num=2)
        a: pl.Tile[[16, 16], pl.FP32, pl.Mem.Mat] = pl.tile.load(x, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Mat)
        l: pl.Tile[[16, 16], pl.FP32, pl.Mem.Left] = pl.tile.move(a, target_memory=pl.Mem.Left)
        r: pl.Tile[[16, 16], pl.FP32, pl.Mem.Right] = pl.tile.move(a, target_memory=pl.Mem.Right)
        c: pl.Tile[[16, 16], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(l, r)
        pl.tile.tpush_to_aiv(c, split=2)
