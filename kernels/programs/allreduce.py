# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4,8
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
HOW = 0
REPAIR = 0


@pl.program
class Allreduce:
    """Every rank ends with the sum over all ranks.

    HOW=0: a kernel calls the collective; HOW=1: the same protocol written out; HOW=2: the host calls
    it. Nothing makes a rank's read-complete notify wait for the loads in front of it, so a peer can
    store over what is still being read. REPAIR=1 (with HOW=1) drains the pipes in front of it.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def call(
        self,
        x: pl.Tensor[[1, 24], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[1, 24], pl.FP32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 24], pl.FP32]],
    ):
        mine = pl.mul(pl.load(x, [0, 0], [1, 24]), 0.1)
        pl.store(mine, [0, 0], win)
        win = pld.tensor.allreduce(win, sig, op=pld.ReduceOp.Sum)
        total = pl.load(win, [0, 0], [1, 24])
        out = pl.store(total, [0, 0], out)

    @pl.function(type=pl.FunctionType.InCore)
    def protocol(
        self,
        x: pl.Tensor[[1, 24], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[1, 24], pl.FP32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 24], pl.FP32]],
    ):
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)
        mine = pl.mul(pl.load(x, [0, 0], [1, 24]), 0.1)
        pl.store(mine, [0, 0], win)
        for peer in pl.range(nranks):
            if peer != me:
                pld.system.notify(sig, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        for src in pl.range(nranks):
            if src != me:
                pld.system.wait(sig, [src, 0], 1, cmp=pld.WaitCmp.Ge)
        acc = pl.load(win, [0, 0], [1, 24])
        for peer in pl.range(nranks):
            if peer != me:
                acc = pl.add(acc, pld.tile.remote_load(win, peer, [0, 0], [1, 24]))
        if REPAIR == 1:
            pl.system.bar_all()
        for peer in pl.range(nranks):
            if peer != me:
                pld.system.notify(sig, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        for src in pl.range(nranks):
            if src != me:
                pld.system.wait(sig, [src, 0], 2, cmp=pld.WaitCmp.Ge)
        pl.store(acc, [0, 0], win)
        for src in pl.range(nranks):
            if src != me:
                pld.system.notify(sig, me, [src, 0], -2, op=pld.NotifyOp.AtomicAdd)
        total = pl.load(win, [0, 0], [1, 24])
        out = pl.store(total, [0, 0], out)

    @pl.function(type=pl.FunctionType.InCore)
    def stage(
        self,
        x: pl.Tensor[[1, 24], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[1, 24], pl.FP32]],
    ):
        mine = pl.mul(pl.load(x, [0, 0], [1, 24]), 0.1)
        pl.store(mine, [0, 0], win)

    @pl.function(type=pl.FunctionType.InCore)
    def copy(
        self,
        win: pl.InOut[pld.DistributedTensor[[1, 24], pl.FP32]],
        out: pl.Out[pl.Tensor[[1, 24], pl.FP32]],
    ):
        total = pl.load(win, [0, 0], [1, 24])
        out = pl.store(total, [0, 0], out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def whole(
        self,
        x: pl.Tensor[[1, 24], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[1, 24], pl.FP32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 24], pl.FP32]],
    ):
        if HOW == 0:
            self.call(x, win, sig, out)
        else:
            self.protocol(x, win, sig, out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def publish(
        self,
        x: pl.Tensor[[1, 24], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[1, 24], pl.FP32]],
    ):
        self.stage(x, win)

    @pl.function(type=pl.FunctionType.Orchestration)
    def consume(
        self,
        win: pl.InOut[pld.DistributedTensor[[1, 24], pl.FP32]],
        out: pl.Out[pl.Tensor[[1, 24], pl.FP32]],
    ):
        self.copy(win, out)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(self, x: pl.Tensor[[NR, 1, 24], pl.FP32], out: pl.Out[pl.Tensor[[NR, 1, 24], pl.FP32]]):
        ws = pld.system.world_size()
        data = pld.tensor.alloc_window_buffer(96)
        cells = pld.tensor.alloc_window_buffer(ws * 4)
        win = pld.tensor.window(data, [1, 24], dtype=pl.FP32)
        sig = pld.tensor.window(cells, [ws, 1], dtype=pl.INT32)
        if HOW == 2:
            for r in pl.range(ws):
                self.publish(x[r], win, device=r)
            total = pld.tensor.allreduce(win, sig, op=pld.ReduceOp.Sum)
            for r in pl.range(ws):
                self.consume(total, out[r], device=r)
        else:
            for r in pl.range(ws):
                self.whole(x[r], win, sig, out[r], device=r)
