# pypto.program: mesh_allreduce_ssa
# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")

@pl.program
class mesh_allreduce_ssa:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def kernel(inp__ssa_v0: pl.Tensor[[1, 128], pl.FP32], win__ssa_v0: pl.InOut[pld.DistributedTensor[[1, 128], pl.FP32]], sig__ssa_v0: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]], out__ssa_v0: pl.Out[pl.Tensor[[1, 128], pl.FP32]], win_ctx: pld.CommCtx, sig_ctx: pld.CommCtx) -> pl.Tensor[[1, 128], pl.FP32]:
        me: pl.Scalar[pl.INT32] = pld.system.rank(win_ctx)
        nranks: pl.Scalar[pl.INT32] = pld.system.nranks(win_ctx)
        for k__idx_v0, (win__iter_v1,) in pl.range(2, init_values=(win__ssa_v0,)):
            staged__tile: pl.Tile[[1, 64], pl.FP32, pl.MemRef("mem_vec_0", pl.const(0, pl.INT64), 256), pl.Mem.Vec] = pl.tile.load(inp__ssa_v0, [0, k__idx_v0 * 64], [1, 64], [1, 64], target_memory=pl.Mem.Vec)
            win__ssa_v2: pld.DistributedTensor[[1, 128], pl.FP32] = pl.tile.store(staged__tile, [0, k__idx_v0 * 64], win__iter_v1)
            win__rv_v3: pld.DistributedTensor[[1, 128], pl.FP32] = pl.yield_(win__ssa_v2)
        for peer__idx_v0 in pl.range(pl.cast(nranks, pl.INDEX)):
            if peer__idx_v0 != pl.cast(me, pl.INDEX):
                pld.system.notify(sig__ssa_v0, peer__idx_v0, [me, 0], pl.const(1, pl.INT32), op=0)
        for src__idx_v0 in pl.range(pl.cast(nranks, pl.INDEX)):
            if src__idx_v0 != pl.cast(me, pl.INDEX):
                pld.system.wait(sig__ssa_v0, [src__idx_v0, 0], pl.const(1, pl.INT32), cmp=1)
        for k__idx_v1, (win__iter_v4,) in pl.range(2, init_values=(win__rv_v3,)):
            acc__tile: pl.Tile[[1, 64], pl.FP32, pl.MemRef("mem_vec_1", pl.const(0, pl.INT64), 256), pl.Mem.Vec] = pl.tile.load(win__iter_v4, [0, k__idx_v1 * 64], [1, 64], [1, 64], target_memory=pl.Mem.Vec)
            for peer__idx_v1, (acc__iter_v1,) in pl.range(pl.cast(nranks, pl.INDEX), init_values=(acc__tile,)):
                if peer__idx_v1 != pl.cast(me, pl.INDEX):
                    recv__tile: pl.Tile[[1, 64], pl.FP32, pl.MemRef("mem_vec_2", pl.const(0, pl.INT64), 256), pl.Mem.Vec] = pld.tile.remote_load(win__iter_v4, peer__idx_v1, [0, k__idx_v1 * 64], [1, 64])
                    sum__tile: pl.Tile[[1, 64], pl.FP32, pl.MemRef("mem_vec_1", pl.const(0, pl.INT64), 256), pl.Mem.Vec] = pl.tile.add(acc__iter_v1, recv__tile)
                    acc__phi_v2: pl.Tile[[1, 64], pl.FP32, pl.MemRef("mem_vec_1", pl.const(0, pl.INT64), 256), pl.Mem.Vec] = pl.yield_(sum__tile)
                else:
                    acc__phi_v2: pl.Tile[[1, 64], pl.FP32, pl.MemRef("mem_vec_1", pl.const(0, pl.INT64), 256), pl.Mem.Vec] = pl.yield_(acc__iter_v1)
                acc__rv_v3: pl.Tile[[1, 64], pl.FP32, pl.MemRef("mem_vec_1", pl.const(0, pl.INT64), 256), pl.Mem.Vec] = pl.yield_(acc__phi_v2)
            for peer__idx_v2 in pl.range(pl.cast(nranks, pl.INDEX)):
                if peer__idx_v2 != pl.cast(me, pl.INDEX):
                    pld.system.notify(sig__ssa_v0, peer__idx_v2, [me, 0], pl.const(1, pl.INT32), op=0)
            for src__idx_v1 in pl.range(pl.cast(nranks, pl.INDEX)):
                if src__idx_v1 != pl.cast(me, pl.INDEX):
                    pld.system.wait(sig__ssa_v0, [src__idx_v1, 0], pl.cast(k__idx_v1 + 2, pl.INT32), cmp=1)
            win__ssa_v5: pld.DistributedTensor[[1, 128], pl.FP32] = pl.tile.store(acc__rv_v3, [0, k__idx_v1 * 64], win__iter_v4)
            win__rv_v6: pld.DistributedTensor[[1, 128], pl.FP32] = pl.yield_(win__ssa_v5)
        for src__idx_v2 in pl.range(pl.cast(nranks, pl.INDEX)):
            if src__idx_v2 != pl.cast(me, pl.INDEX):
                pld.system.notify(sig__ssa_v0, me, [src__idx_v2, 0], pl.const(-3, pl.INT32), op=0)
        for k__idx_v2, (out__iter_v1,) in pl.range(2, init_values=(out__ssa_v0,)):
            total__tile: pl.Tile[[1, 64], pl.FP32, pl.MemRef("mem_vec_0", pl.const(0, pl.INT64), 256), pl.Mem.Vec] = pl.tile.load(win__rv_v6, [0, k__idx_v2 * 64], [1, 64], [1, 64], target_memory=pl.Mem.Vec)
            out__ssa_v2: pl.Tensor[[1, 128], pl.FP32] = pl.tile.store(total__tile, [0, k__idx_v2 * 64], out__iter_v1)
            out__rv_v3: pl.Tensor[[1, 128], pl.FP32] = pl.yield_(out__ssa_v2)
        return out__rv_v3
