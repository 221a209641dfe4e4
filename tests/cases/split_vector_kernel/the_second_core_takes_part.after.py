import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class T:
    @pl.function(type=pl.FunctionType.AIV)
    def kernel(self, x: pl.Tensor[[16, 16], pl.FP32], m: pl.InOut[pl.Tensor[[16, 16], pl.FP32]], o: pl.Out[pl.Tensor[[16, 16], pl.FP32]], s: pld.DistributedTensor[[4, 1], pl.INT32]) -> pl.Tensor[[16, 16], pl.FP32]:
        pl.func_attr({"dual_aiv_dispatch": True})
        subblock_idx: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
        b: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='p', size=2048)
        pl.system.aiv_initialize_pipe(b, pl.const(0, pl.INT32), dir_mask=1, slot_size=1024, slot_num=2)
        if subblock_idx == 0:
            v: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.tile.tpop_from_aic(split=0)
            t: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Vec)
            u: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.tile.add(v, t)
            pl.system.tfree_to_aic(v)
            o1: pl.Tensor[[16, 16], pl.FP32] = pl.tile.store(u, [0, 0], o)
            return o1
        else:
            v_1: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[0, 0])] = pl.tile.tpop_from_aic(split=0)
            t_1: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[0, 0])] = pl.tile.create([16, 16], dtype=pl.FP32, target_memory=pl.Mem.Vec)
            u_1: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[0, 0])] = pl.tile.add(v_1, t_1)
            pl.system.tfree_to_aic(v_1)
            o1_1: pl.Tensor[[16, 16], pl.FP32] = o
            return o
