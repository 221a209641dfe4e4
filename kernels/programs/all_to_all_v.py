# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4,8
# fencebench: arg RANKS=nranks
import pypto.language as pl
import pypto.language.distributed as pld

RANKS = 2
HOW = 0
REPAIR = 0


@pl.program
class AllToAllV:
    """Up to two rows of each rank go to each rank; the receiver is told how many of them count.

    HOW=0: a kernel calls the collective; HOW=1: the same protocol written out; HOW=2: the host calls
    it. The counts of all senders are set on one line, and a Set writes the whole line back: two
    senders undo each other. REPAIR=1 (with HOW=1) gives each count a line of its own.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def call(
        self,
        x: pl.Tensor[[2 * RANKS, 16], pl.INT32],
        send: pl.Tensor[[RANKS, 1], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[2 * RANKS, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[RANKS, 1], pl.INT32]],
        got: pl.InOut[pld.DistributedTensor[[RANKS, 1], pl.INT32]],
        apart: pl.InOut[pld.DistributedTensor[[RANKS, 16], pl.INT32]],
        out: pl.Out[pl.Tensor[[2 * RANKS, 16], pl.INT32]],
        told: pl.Out[pl.Tensor[[RANKS, 16], pl.INT32]],
    ):
        win = pld.tensor.all_to_all_v(x, win, sig, send, got)
        for src in pl.range(RANKS):
            count = pl.read(got, [src, 0])
            pl.write(told, [src, 0], count)
            for row in pl.range(2 * src, 2 * src + count):
                part = pl.load(win, [row, 0], [1, 16])
                out = pl.store(part, [row, 0], out)

    @pl.function(type=pl.FunctionType.InCore)
    def protocol(
        self,
        x: pl.Tensor[[2 * RANKS, 16], pl.INT32],
        send: pl.Tensor[[RANKS, 1], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[2 * RANKS, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[RANKS, 1], pl.INT32]],
        got: pl.InOut[pld.DistributedTensor[[RANKS, 1], pl.INT32]],
        apart: pl.InOut[pld.DistributedTensor[[RANKS, 16], pl.INT32]],
        out: pl.Out[pl.Tensor[[2 * RANKS, 16], pl.INT32]],
        told: pl.Out[pl.Tensor[[RANKS, 16], pl.INT32]],
    ):
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)
        through = pl.tile.create([2, 16], dtype=pl.INT32, target_memory=pl.Mem.Vec)
        for dest in pl.range(nranks):
            count = pl.min(pl.read(send, [dest, 0]), 2)
            if REPAIR == 1:
                pld.system.notify(apart, dest, [me, 0], count, op=pld.NotifyOp.Set)
            else:
                pld.system.notify(got, dest, [me, 0], count, op=pld.NotifyOp.Set)
            pld.tile.put(win, dest, x, through, [2 * me, 0], [2 * dest, 0], [2, 16], atomic=pld.AtomicType.None_)
        for peer in pl.range(nranks):
            if peer != me:
                pld.system.notify(sig, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        for src in pl.range(nranks):
            if src != me:
                pld.system.wait(sig, [src, 0], 1, cmp=pld.WaitCmp.Ge)
        for src in pl.range(nranks):
            if src != me:
                pld.system.notify(sig, me, [src, 0], -1, op=pld.NotifyOp.AtomicAdd)
        for src in pl.range(RANKS):
            count = 0
            if REPAIR == 1:
                count = count + pl.read(apart, [src, 0])
            else:
                count = count + pl.read(got, [src, 0])
            pl.write(told, [src, 0], count)
            for row in pl.range(2 * src, 2 * src + count):
                part = pl.load(win, [row, 0], [1, 16])
                out = pl.store(part, [row, 0], out)

    @pl.function(type=pl.FunctionType.InCore)
    def stage(
        self,
        x: pl.Tensor[[2 * RANKS, 16], pl.INT32],
        send: pl.Tensor[[RANKS, 1], pl.INT32],
        own: pl.InOut[pld.DistributedTensor[[2 * RANKS, 16], pl.INT32]],
        counts: pl.InOut[pld.DistributedTensor[[RANKS, 1], pl.INT32]],
    ):
        for row in pl.range(2 * RANKS):
            mine = pl.load(x, [row, 0], [1, 16])
            pl.store(mine, [row, 0], own)
        for dest in pl.range(RANKS):
            pl.write(counts, [dest, 0], pl.read(send, [dest, 0]))

    @pl.function(type=pl.FunctionType.InCore)
    def copy(
        self,
        win: pl.InOut[pld.DistributedTensor[[2 * RANKS, 16], pl.INT32]],
        got: pl.InOut[pld.DistributedTensor[[RANKS, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[2 * RANKS, 16], pl.INT32]],
        told: pl.Out[pl.Tensor[[RANKS, 16], pl.INT32]],
    ):
        for src in pl.range(RANKS):
            count = pl.read(got, [src, 0])
            pl.write(told, [src, 0], count)
            for row in pl.range(2 * src, 2 * src + count):
                part = pl.load(win, [row, 0], [1, 16])
                out = pl.store(part, [row, 0], out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def whole(
        self,
        x: pl.Tensor[[2 * RANKS, 16], pl.INT32],
        send: pl.Tensor[[RANKS, 1], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[2 * RANKS, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[RANKS, 1], pl.INT32]],
        got: pl.InOut[pld.DistributedTensor[[RANKS, 1], pl.INT32]],
        apart: pl.InOut[pld.DistributedTensor[[RANKS, 16], pl.INT32]],
        out: pl.Out[pl.Tensor[[2 * RANKS, 16], pl.INT32]],
        told: pl.Out[pl.Tensor[[RANKS, 16], pl.INT32]],
    ):
        if HOW == 0:
            self.call(x, send, win, sig, got, apart, out, told)
        else:
            self.protocol(x, send, win, sig, got, apart, out, told)

    @pl.function(type=pl.FunctionType.Orchestration)
    def publish(
        self,
        x: pl.Tensor[[2 * RANKS, 16], pl.INT32],
        send: pl.Tensor[[RANKS, 1], pl.INT32],
        own: pl.InOut[pld.DistributedTensor[[2 * RANKS, 16], pl.INT32]],
        counts: pl.InOut[pld.DistributedTensor[[RANKS, 1], pl.INT32]],
    ):
        self.stage(x, send, own, counts)

    @pl.function(type=pl.FunctionType.Orchestration)
    def consume(
        self,
        win: pl.InOut[pld.DistributedTensor[[2 * RANKS, 16], pl.INT32]],
        got: pl.InOut[pld.DistributedTensor[[RANKS, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[2 * RANKS, 16], pl.INT32]],
        told: pl.Out[pl.Tensor[[RANKS, 16], pl.INT32]],
    ):
        self.copy(win, got, out, told)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(
        self,
        x: pl.Tensor[[RANKS, 2 * RANKS, 16], pl.INT32],
        send: pl.Tensor[[RANKS, RANKS, 1], pl.INT32],
        out: pl.Out[pl.Tensor[[RANKS, 2 * RANKS, 16], pl.INT32]],
        told: pl.Out[pl.Tensor[[RANKS, RANKS, 16], pl.INT32]],
    ):
        ws = pld.system.world_size()
        data = pld.tensor.alloc_window_buffer(RANKS * 128)
        cells = pld.tensor.alloc_window_buffer(RANKS * 32)  # counts on its line would undo each other
        packed = pld.tensor.alloc_window_buffer(RANKS * 4)
        win = pld.tensor.window(data, [2 * RANKS, 16], dtype=pl.INT32)
        sig = pld.tensor.window(cells, [RANKS, 1], dtype=pl.INT32)
        got = pld.tensor.window(packed, [RANKS, 1], dtype=pl.INT32)
        if HOW == 2:
            source = pld.tensor.alloc_window_buffer(RANKS * 128)
            asked = pld.tensor.alloc_window_buffer(RANKS * 4)
            own = pld.tensor.window(source, [2 * RANKS, 16], dtype=pl.INT32)
            counts = pld.tensor.window(asked, [RANKS, 1], dtype=pl.INT32)
            for r in pl.range(ws):
                self.publish(x[r], send[r], own, counts, device=r)
            pld.tensor.all_to_all_v(own, win, sig, counts, got)
            for r in pl.range(ws):
                self.consume(win, got, out[r], told[r], device=r)
        else:
            lines = pld.tensor.alloc_window_buffer(RANKS * 64)
            apart = pld.tensor.window(lines, [RANKS, 16], dtype=pl.INT32)
            for r in pl.range(ws):
                self.whole(x[r], send[r], win, sig, got, apart, out[r], told[r], device=r)
