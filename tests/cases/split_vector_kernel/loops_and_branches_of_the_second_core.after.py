import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class T:
    @pl.function(type=pl.FunctionType.AIV)
    def kernel(self, x: pl.Tensor[[16, 16], pl.FP32], m: pl.InOut[pl.Tensor[[16, 16], pl.FP32]], o: pl.Out[pl.Tensor[[16, 16], pl.FP32]], s: pld.DistributedTensor[[4, 1], pl.INT32]):
        pl.func_attr({"dual_aiv_dispatch": True})
        subblock_idx: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
        if subblock_idx == 0:
            t: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Vec)
            for i, (c,) in pl.range(2, init_values=(t,)):
                d: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.tile.add(c, t)
                if i == 1:
                    pld.system.notify(s, 1, [i, 0], 1, op=0)
                e: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.yield_(d)
            pl.tile.store(e, [0, 0], o)
        else:
            t_1: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[0, 0])] = pl.tile.create([16, 16], dtype=pl.FP32, target_memory=pl.Mem.Vec)
            for i_1, (c_1,) in pl.range(2, init_values=(t_1,)):
                d_1: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[0, 0])] = pl.tile.add(c_1, t_1)
                if i_1 == 1:
                    pld.system.notify(s, 1, [i_1, 0], 1, op=0)
                e_1: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[0, 0])] = pl.yield_(d_1)
