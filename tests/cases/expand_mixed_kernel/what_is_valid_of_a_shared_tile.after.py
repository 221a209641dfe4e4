import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class T:
    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)
    def kernel_aic(self, x: pl.Tensor[[8, 16], pl.FP32], m: pl.Scalar[pl.INDEX], o: pl.Out[pl.Tensor[[8, 16], pl.FP32]]):
        kernel_c2v_slot_buffer_import: pl.Scalar[pl.INT32] = pl.system.import_peer_buffer(name='kernel_c2v_slot_buffer', peer_func='kernel_aiv')
        pl.system.aic_initialize_pipe(kernel_c2v_slot_buffer_import, pl.const(0, pl.INT32), dir_mask=1, slot_size=512, slot_num=2)
        a: pl.Tile[[5, 16], pl.FP32, pl.Mem.Mat] = pl.tile.load(x, [0, 0], [5, 16], [5, 16], target_memory=pl.Mem.Mat)
        pl.tile.tpush_to_aiv(a, split=1)
        n: pl.Scalar[pl.INDEX] = pl.min(m, 8)
        b: pl.Tile[[8, 16], pl.FP32, pl.Mem.Mat] = pl.tile.load(x, [0, 0], [8, 16], [n, 16], target_memory=pl.Mem.Mat)
        pl.tile.tpush_to_aiv(b, split=1)
        c: pl.Tile[[4, 16], pl.FP32, pl.Mem.Mat] = pl.tile.load(x, [0, 0], [4, 16], [4, 16], target_memory=pl.Mem.Mat)
        pl.tile.tpush_to_aiv(c, split=1)
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def kernel_aiv(self, x: pl.Tensor[[8, 16], pl.FP32], m: pl.Scalar[pl.INDEX], o: pl.Out[pl.Tensor[[8, 16], pl.FP32]]) -> pl.Tensor[[8, 16], pl.FP32]:
        pl.func_attr({"dual_aiv_dispatch": True})
        subblock_idx: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
        kernel_c2v_slot_buffer: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='kernel_c2v_slot_buffer', size=1024, base=-1)
        pl.system.aiv_initialize_pipe(kernel_c2v_slot_buffer, pl.const(0, pl.INT32), dir_mask=1, slot_size=512, slot_num=2)
        u: pl.Tile[[3, 16], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[pl.min(pl.max(5, subblock_idx * 3) - subblock_idx * 3, 3), 16])] = pl.tile.tpop_from_aic(split=1)
        o: pl.Tensor[[8, 16], pl.FP32] = pl.tile.store(u, [0, 0], o)
        pl.system.tfree_to_aic(u)
        n: pl.Scalar[pl.INDEX] = pl.min(m, 8)
        subblock_idx_1: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
        v: pl.Tile[[4, 16], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[pl.min(pl.max(n, subblock_idx_1 * 4) - subblock_idx_1 * 4, 4), 16])] = pl.tile.tpop_from_aic(split=1)
        o: pl.Tensor[[8, 16], pl.FP32] = pl.tile.store(v, [0, 0], o)
        pl.system.tfree_to_aic(v)
        w: pl.Tile[[2, 16], pl.FP32, pl.Mem.Vec] = pl.tile.tpop_from_aic(split=1)
        o: pl.Tensor[[8, 16], pl.FP32] = pl.tile.store(w, [0, 0], o)
        pl.system.tfree_to_aic(w)
        return o
    @pl.function(type=pl.FunctionType.Group, level=pl.Level.CORE_GROUP, role=pl.Role.SubWorker)
    def kernel(self, x: pl.Tensor[[8, 16], pl.FP32], m: pl.Scalar[pl.INDEX], o: pl.Out[pl.Tensor[[8, 16], pl.FP32]]) -> pl.Tensor[[8, 16], pl.FP32]:
        self.kernel_aic(x, m, o)
        self.kernel_aiv(x, m, o)
        return o
