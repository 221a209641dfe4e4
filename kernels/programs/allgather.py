# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4,8
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
HOW = 0


@pl.program
class Allgather:
    """Every rank ends with the rows of all ranks.

    HOW=0: a kernel calls the collective; HOW=1: the same protocol written out; HOW=2: the host calls it.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def call(
        self,
        x: pl.Tensor[[1, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[NR, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[NR, 16], pl.INT32]],
    ):
        win = pld.tensor.allgather(x, win, sig)
        for row in pl.range(NR):
            got = pl.load(win, [row, 0], [1, 16])
            out = pl.store(got, [row, 0], out)

    @pl.function(type=pl.FunctionType.InCore)
    def protocol(
        self,
        x: pl.Tensor[[1, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[NR, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[NR, 16], pl.INT32]],
    ):
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)
        through = pl.tile.create([1, 16], dtype=pl.INT32, target_memory=pl.Mem.Vec)
        for dest in pl.range(nranks):
            pld.tile.put(win, dest, x, through, [me, 0], [0, 0], [1, 16], atomic=pld.AtomicType.None_)
        for peer in pl.range(nranks):
            if peer != me:
                pld.system.notify(sig, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        for src in pl.range(nranks):
            if src != me:
                pld.system.wait(sig, [src, 0], 1, cmp=pld.WaitCmp.Ge)
        for src in pl.range(nranks):
            if src != me:
                pld.system.notify(sig, me, [src, 0], -1, op=pld.NotifyOp.AtomicAdd)
        for row in pl.range(NR):
            got = pl.load(win, [row, 0], [1, 16])
            out = pl.store(got, [row, 0], out)

    @pl.function(type=pl.FunctionType.InCore)
    def stage(
        self,
        x: pl.Tensor[[1, 16], pl.INT32],
        own: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
    ):
        mine = pl.load(x, [0, 0], [1, 16])
        pl.store(mine, [0, 0], own)

    @pl.function(type=pl.FunctionType.InCore)
    def copy(
        self,
        win: pl.InOut[pld.DistributedTensor[[NR, 16], pl.INT32]],
        out: pl.Out[pl.Tensor[[NR, 16], pl.INT32]],
    ):
        for row in pl.range(NR):
            got = pl.load(win, [row, 0], [1, 16])
            out = pl.store(got, [row, 0], out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def whole(
        self,
        x: pl.Tensor[[1, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[NR, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[NR, 16], pl.INT32]],
    ):
        if HOW == 0:
            self.call(x, win, sig, out)
        else:
            self.protocol(x, win, sig, out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def publish(
        self,
        x: pl.Tensor[[1, 16], pl.INT32],
        own: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
    ):
        self.stage(x, own)

    @pl.function(type=pl.FunctionType.Orchestration)
    def consume(
        self,
        win: pl.InOut[pld.DistributedTensor[[NR, 16], pl.INT32]],
        out: pl.Out[pl.Tensor[[NR, 16], pl.INT32]],
    ):
        self.copy(win, out)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(
        self,
        x: pl.Tensor[[NR, 1, 16], pl.INT32],
        out: pl.Out[pl.Tensor[[NR, NR, 16], pl.INT32]],
    ):
        ws = pld.system.world_size()
        data = pld.tensor.alloc_window_buffer(ws * 64)
        cells = pld.tensor.alloc_window_buffer(ws * 4)
        win = pld.tensor.window(data, [ws, 16], dtype=pl.INT32)
        sig = pld.tensor.window(cells, [ws, 1], dtype=pl.INT32)
        if HOW == 2:
            source = pld.tensor.alloc_window_buffer(64)
            own = pld.tensor.window(source, [1, 16], dtype=pl.INT32)
            for r in pl.range(ws):
                self.publish(x[r], own, device=r)
            done = pld.tensor.allgather(own, win, sig)
            for r in pl.range(ws):
                self.consume(done, out[r], device=r)
        else:
            for r in pl.range(ws):
                self.whole(x[r], win, sig, out[r], device=r)
