# pypto.program: decode
import pypto.language as pl
import pypto.language.distributed as pld
T_DYN = pl.dynamic("T_DYN")
@pl.program
class decode:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def push_inline3(x_inline3__ssa_v0: pl.Tensor[[T_DYN, 4096], pl.BF16, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 0)], win__ssa_v0: pl.InOut[pld.DistributedTensor[[512, 4096], pl.BF16]], sig__ssa_v0: pl.InOut[pld.DistributedTensor[[16, 1], pl.INT32]], rows__ssa_v0: pl.Scalar[pl.INDEX], win_ctx: pld.CommCtx, sig_ctx: pld.CommCtx) -> pld.DistributedTensor[[512, 4096], pl.BF16]:
        mem_vec_3: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 65536)
        me__ssa_v0: pl.Scalar[pl.INT32] = pld.system.rank(win_ctx)
        nranks__ssa_v0: pl.Scalar[pl.INT32] = pld.system.nranks(win_ctx)
        stage__tile: pl.Tile[[8, 4096], pl.BF16, pl.MemRef(mem_vec_3, pl.const(0, pl.INT64), 65536), pl.Mem.Vec] = pl.tile.create([8, 4096], dtype=pl.BF16, target_memory=pl.Mem.Vec)
        for peer__idx_v0 in pl.range(pl.cast(nranks__ssa_v0, pl.INDEX)):
            if peer__idx_v0 != pl.cast(me__ssa_v0, pl.INDEX):
                pld.tile.put(win__ssa_v0, pl.cast(peer__idx_v0, pl.INT32), x_inline3__ssa_v0, stage__tile, [pl.cast(me__ssa_v0, pl.INDEX) * 8, 0], [0, 0], [8, 4096], atomic=pl.AtomicType.None_)
                pl.system.fence()
                pld.system.notify(sig__ssa_v0, pl.cast(peer__idx_v0, pl.INT32), [me__ssa_v0, 0], pl.cast(16, pl.INT32), op=0)
        for r__idx_v0, (win__iter_v1,) in pl.range(0, rows__ssa_v0, 8, init_values=(win__ssa_v0,)):
            own__tile: pl.Tile[[8, 4096], pl.BF16, pl.MemRef(mem_vec_3, pl.const(0, pl.INT64), 65536), pl.Mem.Vec, pl.TileView(valid_shape=[rows__ssa_v0, 4096], pad=pl.PadValue.min)] = pl.tile.load(x_inline3__ssa_v0, [r__idx_v0, 0], [8, 4096], [8, 4096], target_memory=pl.Mem.Vec)
            win__tile: pld.DistributedTensor[[512, 4096], pl.BF16] = pl.tile.store(own__tile, [r__idx_v0, 0], win__iter_v1)
            pl.system.cacheinvalid(win__iter_v1, [512, 4096], [0, 0])
            pl.system.fence()
            win__rv_v2: pld.DistributedTensor[[512, 4096], pl.BF16] = pl.yield_(win__tile)
        return win__rv_v2
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def wait_inline4(sig__ssa_v0: pl.InOut[pld.DistributedTensor[[16, 1], pl.INT32]], done__ssa_v0: pl.InOut[pld.DistributedTensor[[16, 1], pl.INT32]], sig_ctx: pld.CommCtx, done_ctx: pld.CommCtx):
        me__ssa_v0: pl.Scalar[pl.INT32] = pld.system.rank(sig_ctx)
        for i__idx_v0 in pl.range(2):
            if i__idx_v0 != pl.cast(me__ssa_v0, pl.INDEX):
                pld.system.wait(sig__ssa_v0, [i__idx_v0, 0], pl.cast(16, pl.INT32), cmp=1)
        pl.system.cacheinvalid()
        pld.system.wait(done__ssa_v0, [0, 0], pl.const(1, pl.INT32), cmp=1)
        pld.system.wait(done__ssa_v0, [1, 0], pl.const(1, pl.INT32), cmp=1)
        pl.system.cacheinvalid()
        return
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def read_inline5(win__ssa_v0: pl.InOut[pld.DistributedTensor[[512, 4096], pl.BF16]], out__ssa_v0: pl.Out[pl.Tensor[[T_DYN, 4096], pl.BF16]], n__ssa_v0: pl.Scalar[pl.INDEX], win_ctx: pld.CommCtx) -> pl.Tensor[[T_DYN, 4096], pl.BF16]:
        if 0 < n__ssa_v0:
            part__tile: pl.Tile[[8, 4096], pl.BF16] = pl.tile.load(win__ssa_v0, [n__ssa_v0, 0], [8, 4096], [8, 4096], target_memory=pl.Mem.Vec)
            out__tile: pl.Tensor[[T_DYN, 4096], pl.BF16] = pl.tile.store(part__tile, [n__ssa_v0, 0], out__ssa_v0)
            out__phi_v4: pl.Tensor[[T_DYN, 4096], pl.BF16] = pl.yield_(out__tile)
        else:
            out__phi_v4: pl.Tensor[[T_DYN, 4096], pl.BF16] = pl.yield_(out__ssa_v0)
        return out__phi_v4
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, x__ssa_v0: pl.Tensor[[T_DYN, 4096], pl.BF16], win__ssa_v0: pl.InOut[pld.DistributedTensor[[512, 4096], pl.BF16]], sig__ssa_v0: pl.InOut[pld.DistributedTensor[[16, 1], pl.INT32]], done__ssa_v0: pl.InOut[pld.DistributedTensor[[16, 1], pl.INT32]], out__ssa_v0: pl.Out[pl.Tensor[[T_DYN, 4096], pl.BF16]], rows__ssa_v0: pl.Scalar[pl.INDEX], win_ctx: pld.CommCtx, sig_ctx: pld.CommCtx, done_ctx: pld.CommCtx) -> pl.Tensor[[T_DYN, 4096], pl.BF16]:
        win__ssa_v1: pld.DistributedTensor[[512, 4096], pl.BF16] = self.push_inline3(x__ssa_v0, win__ssa_v0, sig__ssa_v0, rows__ssa_v0, win_ctx, sig_ctx, attrs={"arg_directions": [pl.adir.input, pl.adir.inout, pl.adir.inout, pl.adir.scalar, pl.adir.scalar, pl.adir.scalar]})
        self.wait_inline4(sig__ssa_v0, done__ssa_v0, sig_ctx, done_ctx, attrs={"arg_directions": [pl.adir.inout, pl.adir.inout, pl.adir.scalar, pl.adir.scalar]})
        out__ssa_v1: pl.Tensor[[T_DYN, 4096], pl.BF16] = self.read_inline5(win__ssa_v1, out__ssa_v0, rows__ssa_v0, win_ctx, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing, pl.adir.scalar, pl.adir.scalar]})
        return out__ssa_v1
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self, x__ssa_v0: pl.Tensor[[2, 64, 4096], pl.BF16], out__ssa_v0: pl.Out[pl.Tensor[[2, 64, 4096], pl.BF16]]):
        win_buf: pl.Ptr = pld.tensor.alloc_window_buffer(pl.const(4194304, pl.INT64))
        sig_buf: pl.Ptr = pld.tensor.alloc_window_buffer(pl.const(64, pl.INT64))
        done_buf: pl.Ptr = pld.tensor.alloc_window_buffer(pl.const(64, pl.INT64))
        for rank__idx_v0 in pl.range(pld.system.world_size()):
            win: pld.DistributedTensor[[512, 4096], pl.BF16] = pld.tensor.window(win_buf, [512, 4096], dtype=pl.BF16)
            sig: pld.DistributedTensor[[16, 1], pl.INT32] = pld.tensor.window(sig_buf, [16, 1], dtype=pl.INT32)
            done: pld.DistributedTensor[[16, 1], pl.INT32] = pld.tensor.window(done_buf, [16, 1], dtype=pl.INT32)
            x__slice: pl.Tensor[[64, 4096], pl.BF16] = pl.tensor.slice(x__ssa_v0, [1, 64, 4096], [rank__idx_v0, 0, 0], [], [0])
            out__slice: pl.Tensor[[64, 4096], pl.BF16] = pl.tensor.slice(out__ssa_v0, [1, 64, 4096], [rank__idx_v0, 0, 0], [], [0])
            win_ctx: pld.CommCtx = pld.system.get_comm_ctx(win)
            sig_ctx: pld.CommCtx = pld.system.get_comm_ctx(sig)
            done_ctx: pld.CommCtx = pld.system.get_comm_ctx(done)
            self.chip(x__slice, win, sig, done, out__slice, 64, win_ctx, sig_ctx, done_ctx, device=rank__idx_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.inout, pl.adir.inout, pl.adir.inout, pl.adir.output_existing, pl.adir.scalar, pl.adir.scalar, pl.adir.scalar, pl.adir.scalar]})
        return
