# nor is that of another pipe
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class T:
    @pl.function(type=pl.FunctionType.AIV)
    def kernel(self, x: pl.Tensor[[16, 16], pl.FP32]):
        b: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='p', size=2048)
        pl.system.aiv_initialize_pipe(b, pl.const(0, pl.INT32), dir_mask=1, slot_size=1024, slot_num=2, id=3)
        v: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.tile.tpop_from_aic(split=1, id=3)
        pl.system.tfree_to_aic(v, id=0)
