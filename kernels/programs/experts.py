# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4,8
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")


@pl.program
class Experts:
    """A mixture of experts, one expert a rank: four tokens of each rank go to the experts that route names,
    are doubled there, and come back.

    counts[s, d] on every rank is the number of tokens from rank s to rank d. From it a sender computes
    where its tokens start at the receiver, and the receiver where the next sender's begin.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[4, 16], pl.INT32],
        route: pl.Tensor[[1, 16], pl.INT32],
        counts: pl.InOut[pld.DistributedTensor[[NR, NR], pl.INT32]],
        recv: pl.InOut[pld.DistributedTensor[[NR * 4, 16], pl.INT32]],
        hidden: pl.InOut[pld.DistributedTensor[[NR * 4, 16], pl.INT32]],
        back: pl.InOut[pld.DistributedTensor[[NR * 4, 16], pl.INT32]],
        counted: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        sent: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        returned: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[4, 16], pl.INT32]],
        seen: pl.Out[pl.Tensor[[1, 16], pl.INT32]],
    ):
        ctx = pld.system.get_comm_ctx(recv)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)
        through = pl.tile.create([1, 16], dtype=pl.INT32, target_memory=pl.Mem.Vec)
        for t in pl.range(4):
            expert = pl.read(route, [0, t]) % nranks
            for peer in pl.range(nranks):
                pld.system.notify(counts, peer, [me, expert], 1, op=pld.NotifyOp.AtomicAdd)
        for peer in pl.range(nranks):
            if peer != me:
                pld.system.notify(counted, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        for src in pl.range(nranks):
            if src != me:
                pld.system.wait(counted, [src, 0], 1, cmp=pld.WaitCmp.Ge)
        for d in pl.range(nranks):
            slot = 0
            for s in pl.range(me):
                slot = slot + pl.read(counts, [s, d])
            for t in pl.range(4):
                if pl.read(route, [0, t]) % nranks == d:
                    pld.tile.put(recv, d, x, through, [slot, 0], [t, 0], [1, 16], atomic=pld.AtomicType.None_)
                    slot = slot + 1
        for peer in pl.range(nranks):
            if peer != me:
                pld.system.notify(sent, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        for src in pl.range(nranks):
            if src != me:
                pld.system.wait(sent, [src, 0], 1, cmp=pld.WaitCmp.Ge)
        row = 0
        for s in pl.range(nranks):
            for j in pl.range(pl.read(counts, [s, me])):
                token = pl.load(recv, [row, 0], [1, 16])
                pl.store(pl.add(token, token), [row, 0], hidden)
                pld.tile.put(back, s, hidden, through, [me * 4 + j, 0], [row, 0], [1, 16], atomic=pld.AtomicType.None_)
                row = row + 1
        pl.write(seen, [0, 0], row)
        for peer in pl.range(nranks):
            if peer != me:
                pld.system.notify(returned, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        for src in pl.range(nranks):
            if src != me:
                pld.system.wait(returned, [src, 0], 1, cmp=pld.WaitCmp.Ge)
        for d in pl.range(nranks):
            nth = 0
            for t in pl.range(4):
                if pl.read(route, [0, t]) % nranks == d:
                    result = pl.load(back, [d * 4 + nth, 0], [1, 16])
                    out = pl.store(result, [t, 0], out)
                    nth = nth + 1

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(
        self,
        x: pl.Tensor[[4, 16], pl.INT32],
        route: pl.Tensor[[1, 16], pl.INT32],
        counts: pl.InOut[pld.DistributedTensor[[NR, NR], pl.INT32]],
        recv: pl.InOut[pld.DistributedTensor[[NR * 4, 16], pl.INT32]],
        hidden: pl.InOut[pld.DistributedTensor[[NR * 4, 16], pl.INT32]],
        back: pl.InOut[pld.DistributedTensor[[NR * 4, 16], pl.INT32]],
        counted: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        sent: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        returned: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[4, 16], pl.INT32]],
        seen: pl.Out[pl.Tensor[[1, 16], pl.INT32]],
    ):
        self.kernel(x, route, counts, recv, hidden, back, counted, sent, returned, out, seen)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(
        self,
        x: pl.Tensor[[NR, 4, 16], pl.INT32],
        route: pl.Tensor[[NR, 1, 16], pl.INT32],
        out: pl.Out[pl.Tensor[[NR, 4, 16], pl.INT32]],
        seen: pl.Out[pl.Tensor[[NR, 1, 16], pl.INT32]],
    ):
        ws = pld.system.world_size()
        table = pld.tensor.alloc_window_buffer(ws * ws * 4)
        arrived = pld.tensor.alloc_window_buffer(ws * 256)
        doubled = pld.tensor.alloc_window_buffer(ws * 256)
        results = pld.tensor.alloc_window_buffer(ws * 256)
        first = pld.tensor.alloc_window_buffer(ws * 4)
        second = pld.tensor.alloc_window_buffer(ws * 4)
        third = pld.tensor.alloc_window_buffer(ws * 4)
        counts = pld.tensor.window(table, [ws, ws], dtype=pl.INT32)
        recv = pld.tensor.window(arrived, [ws * 4, 16], dtype=pl.INT32)
        hidden = pld.tensor.window(doubled, [ws * 4, 16], dtype=pl.INT32)
        back = pld.tensor.window(results, [ws * 4, 16], dtype=pl.INT32)
        counted = pld.tensor.window(first, [ws, 1], dtype=pl.INT32)
        sent = pld.tensor.window(second, [ws, 1], dtype=pl.INT32)
        returned = pld.tensor.window(third, [ws, 1], dtype=pl.INT32)
        for r in pl.range(ws):
            self.chip(x[r], route[r], counts, recv, hidden, back, counted, sent, returned, out[r], seen[r], device=r)
