# pypto.program: remote_store_push_ssa
# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4
# fencebench: arg peer__ssa_v0=(rank+1)%nranks
import pypto.language as pl
import pypto.language.distributed as pld

@pl.program
class remote_store_push_ssa:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def kernel(inp__ssa_v0: pl.Tensor[[1, 128], pl.FP32], win__ssa_v0: pl.InOut[pld.DistributedTensor[[1, 128], pl.FP32]], sig__ssa_v0: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]], out__ssa_v0: pl.Out[pl.Tensor[[1, 128], pl.FP32]], peer__ssa_v0: pl.Scalar[pl.INT32], win_ctx: pld.CommCtx, sig_ctx: pld.CommCtx) -> pl.Tensor[[1, 128], pl.FP32]:
        me: pl.Scalar[pl.INT32] = pld.system.rank(win_ctx)
        for k__idx_v0 in pl.range(2):
            part__tile: pl.Tile[[1, 64], pl.FP32, pl.MemRef("mem_vec_0", pl.const(0, pl.INT64), 256), pl.Mem.Vec] = pl.tile.load(inp__ssa_v0, [0, k__idx_v0 * 64], [1, 64], [1, 64], target_memory=pl.Mem.Vec)
            twice__tile: pl.Tile[[1, 64], pl.FP32, pl.MemRef("mem_vec_1", pl.const(0, pl.INT64), 256), pl.Mem.Vec] = pl.tile.add(part__tile, part__tile)
            pld.tile.remote_store(twice__tile, win__ssa_v0, peer__ssa_v0, [0, k__idx_v0 * 64])
        pld.system.notify(sig__ssa_v0, peer__ssa_v0, [0, 0], pl.const(1, pl.INT32), op=0)
        pld.system.wait(sig__ssa_v0, [0, 0], pl.const(1, pl.INT32), cmp=1)
        pld.system.notify(sig__ssa_v0, me, [0, 0], pl.const(-1, pl.INT32), op=0)
        for k__idx_v1, (out__iter_v1,) in pl.range(2, init_values=(out__ssa_v0,)):
            got__tile: pl.Tile[[1, 64], pl.FP32, pl.MemRef("mem_vec_0", pl.const(0, pl.INT64), 256), pl.Mem.Vec] = pl.tile.load(win__ssa_v0, [0, k__idx_v1 * 64], [1, 64], [1, 64], target_memory=pl.Mem.Vec)
            out__ssa_v2: pl.Tensor[[1, 128], pl.FP32] = pl.tile.store(got__tile, [0, k__idx_v1 * 64], out__iter_v1)
            out__rv_v3: pl.Tensor[[1, 128], pl.FP32] = pl.yield_(out__ssa_v2)
        return out__rv_v3
