# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4,8
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
HOW = 0
REPAIR = 0


@pl.program
class Broadcast:
    """Every rank ends with the row of rank 1.

    HOW=0: a kernel calls the collective; HOW=1: the same protocol written out; HOW=2: the host calls
    it. In a kernel the root copies its row onto itself, and so stores to words that its peers are
    reading. With REPAIR=1 (and HOW=1) the root leaves its row alone.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def call(
        self,
        x: pl.Tensor[[1, 24], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[1, 24], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 24], pl.INT32]],
    ):
        mine = pl.load(x, [0, 0], [1, 24])
        pl.store(mine, [0, 0], win)
        win = pld.tensor.broadcast(win, sig, root=1)
        got = pl.load(win, [0, 0], [1, 24])
        out = pl.store(got, [0, 0], out)

    @pl.function(type=pl.FunctionType.InCore)
    def protocol(
        self,
        x: pl.Tensor[[1, 24], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[1, 24], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 24], pl.INT32]],
    ):
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)
        mine = pl.load(x, [0, 0], [1, 24])
        pl.store(mine, [0, 0], win)
        for peer in pl.range(nranks):
            if peer != me:
                pld.system.notify(sig, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        for src in pl.range(nranks):
            if src != me:
                pld.system.wait(sig, [src, 0], 1, cmp=pld.WaitCmp.Ge)
        through = pl.tile.create([1, 24], dtype=pl.INT32, target_memory=pl.Mem.Vec)
        if me != 1 or REPAIR == 0:
            pld.tile.get(win, 1, win, through)
        for src in pl.range(nranks):
            if src != me:
                pld.system.notify(sig, me, [src, 0], -1, op=pld.NotifyOp.AtomicAdd)
        got = pl.load(win, [0, 0], [1, 24])
        out = pl.store(got, [0, 0], out)

    @pl.function(type=pl.FunctionType.InCore)
    def stage(
        self,
        x: pl.Tensor[[1, 24], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[1, 24], pl.INT32]],
    ):
        mine = pl.load(x, [0, 0], [1, 24])
        pl.store(mine, [0, 0], win)

    @pl.function(type=pl.FunctionType.InCore)
    def copy(
        self,
        win: pl.InOut[pld.DistributedTensor[[1, 24], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 24], pl.INT32]],
    ):
        got = pl.load(win, [0, 0], [1, 24])
        out = pl.store(got, [0, 0], out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def whole(
        self,
        x: pl.Tensor[[1, 24], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[1, 24], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 24], pl.INT32]],
    ):
        if HOW == 0:
            self.call(x, win, sig, out)
        else:
            self.protocol(x, win, sig, out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def publish(
        self,
        x: pl.Tensor[[1, 24], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[1, 24], pl.INT32]],
    ):
        self.stage(x, win)

    @pl.function(type=pl.FunctionType.Orchestration)
    def consume(
        self,
        win: pl.InOut[pld.DistributedTensor[[1, 24], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 24], pl.INT32]],
    ):
        self.copy(win, out)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(self, x: pl.Tensor[[NR, 1, 24], pl.INT32], out: pl.Out[pl.Tensor[[NR, 1, 24], pl.INT32]]):
        ws = pld.system.world_size()
        data = pld.tensor.alloc_window_buffer(96)
        cells = pld.tensor.alloc_window_buffer(ws * 4)
        win = pld.tensor.window(data, [1, 24], dtype=pl.INT32)
        sig = pld.tensor.window(cells, [ws, 1], dtype=pl.INT32)
        if HOW == 2:
            for r in pl.range(ws):
                self.publish(x[r], win, device=r)
            done = pld.tensor.broadcast(win, sig, root=1)
            for r in pl.range(ws):
                self.consume(done, out[r], device=r)
        else:
            for r in pl.range(ws):
                self.whole(x[r], win, sig, out[r], device=r)
