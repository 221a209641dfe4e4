# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4,8
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
HOW = 2
REPAIR = 0


@pl.program
class AllreduceCores:
    """The sum over all ranks on two cores of each: core b takes tiles b, b + 2, ... and meets the peers' cores b
    on a lane of the signal.

    HOW=1: written out; HOW=2: the host calls it. REPAIR=1 (with HOW=1) drains the pipes in front of
    each read-complete notify, as in allreduce.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def protocol(
        self,
        x: pl.Tensor[[1, 600], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[1, 600], pl.FP32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 2], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 600], pl.FP32]],
    ):
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)
        lane = pl.tile.get_block_idx()
        for tile in pl.range(lane, 3, 2):
            col = tile * 256
            n = pl.min(256, 600 - col)
            mine = pl.load(x, [0, col], [1, 256], [1, n])
            pl.store(mine, [0, col], win)
        for peer in pl.range(nranks):
            if peer != me:
                pld.system.notify(sig, peer, [me, lane], 1, op=pld.NotifyOp.AtomicAdd)
        for src in pl.range(nranks):
            if src != me:
                pld.system.wait(sig, [src, lane], 1, cmp=pld.WaitCmp.Ge)
        turn = 1
        for tile in pl.range(lane, 3, 2):
            col = tile * 256
            n = pl.min(256, 600 - col)
            acc = pl.load(win, [0, col], [1, 256], [1, n])
            for peer in pl.range(nranks):
                if peer != me:
                    acc = pl.add(acc, pld.tile.remote_load(win, peer, [0, col], [1, 256], [1, n]))
            turn = turn + 1
            if REPAIR == 1:
                pl.system.bar_all()
            for peer in pl.range(nranks):
                if peer != me:
                    pld.system.notify(sig, peer, [me, lane], 1, op=pld.NotifyOp.AtomicAdd)
            for src in pl.range(nranks):
                if src != me:
                    pld.system.wait(sig, [src, lane], turn, cmp=pld.WaitCmp.Ge)
            pl.store(acc, [0, col], win)
        for src in pl.range(nranks):
            if src != me:
                pld.system.notify(sig, me, [src, lane], 0 - turn, op=pld.NotifyOp.AtomicAdd)
        for tile in pl.range(lane, 3, 2):
            col = tile * 256
            n = pl.min(256, 600 - col)
            total = pl.load(win, [0, col], [1, 256], [1, n])
            out = pl.store(total, [0, col], out)

    @pl.function(type=pl.FunctionType.Spmd, attrs={"core_num": 2})
    def cores(
        self,
        x: pl.Tensor[[1, 600], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[1, 600], pl.FP32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 2], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 600], pl.FP32]],
    ):
        self.protocol(x, win, sig, out)

    @pl.function(type=pl.FunctionType.InCore)
    def stage(
        self,
        x: pl.Tensor[[1, 600], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[1, 600], pl.FP32]],
    ):
        mine = pl.load(x, [0, 0], [1, 600])
        pl.store(mine, [0, 0], win)

    @pl.function(type=pl.FunctionType.InCore)
    def copy(
        self,
        win: pl.InOut[pld.DistributedTensor[[1, 600], pl.FP32]],
        out: pl.Out[pl.Tensor[[1, 600], pl.FP32]],
    ):
        total = pl.load(win, [0, 0], [1, 600])
        out = pl.store(total, [0, 0], out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def whole(
        self,
        x: pl.Tensor[[1, 600], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[1, 600], pl.FP32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 2], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 600], pl.FP32]],
    ):
        self.cores(x, win, sig, out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def publish(
        self,
        x: pl.Tensor[[1, 600], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[1, 600], pl.FP32]],
    ):
        self.stage(x, win)

    @pl.function(type=pl.FunctionType.Orchestration)
    def consume(
        self,
        win: pl.InOut[pld.DistributedTensor[[1, 600], pl.FP32]],
        out: pl.Out[pl.Tensor[[1, 600], pl.FP32]],
    ):
        self.copy(win, out)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(self, x: pl.Tensor[[NR, 1, 600], pl.FP32], out: pl.Out[pl.Tensor[[NR, 1, 600], pl.FP32]]):
        ws = pld.system.world_size()
        data = pld.tensor.alloc_window_buffer(2400)
        cells = pld.tensor.alloc_window_buffer(ws * 8)
        win = pld.tensor.window(data, [1, 600], dtype=pl.FP32)
        sig = pld.tensor.window(cells, [ws, 2], dtype=pl.INT32)
        if HOW == 2:
            for r in pl.range(ws):
                self.publish(x[r], win, device=r)
            total = pld.tensor.allreduce(win, sig, op=pld.ReduceOp.Sum, core_num=2)
            for r in pl.range(ws):
                self.consume(total, out[r], device=r)
        else:
            for r in pl.range(ws):
                self.whole(x[r], win, sig, out[r], device=r)
