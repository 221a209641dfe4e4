# SPDX-License-Identifier: MIT
# fencebench: ranks 2
import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class WaitThenRead:
    """A wait in one task, the read that it protects in a later one.

    warm leaves the line of the data in the cache of its core. exchange sends data and waits for the
    peer's; the compiler's invalidate behind the wait reaches the cache of the core that waited. read
    loads the data through the cache of the core it runs on. What it finds there is fresh only if that
    is the core that waited, or if something else has emptied the cache: the end of an earlier
    kernel, or the runtime when the core picks up a task.

    No kernel stores to memory by scalar, so none has a tail of its own.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def warm(
        self,
        win: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
        before: pl.Out[pl.Tensor[[1, 16], pl.INT32]],
    ):
        old = pl.read(win, [0, 3])
        tile = pl.tile.full([1, 16], dtype=pl.INT32, value=old)
        pl.store(tile, [0, 0], before)

    @pl.function(type=pl.FunctionType.InCore)
    def exchange(
        self,
        x: pl.Tensor[[1, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
        ready: pl.InOut[pld.DistributedTensor[[2, 1], pl.INT32]],
        sent: pl.InOut[pld.DistributedTensor[[2, 1], pl.INT32]],
    ):
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        peer = 1 - me
        stage = pl.tile.create([1, 16], dtype=pl.INT32, target_memory=pl.Mem.Vec)
        # Both ranks have read the old value before anyone overwrites it.
        pld.system.notify(ready, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        pld.system.wait(ready, [peer, 0], 1, cmp=pld.WaitCmp.Ge)
        pld.tile.put(win, peer, x, stage, atomic=pld.AtomicType.None_)
        pld.system.notify(sent, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        pld.system.wait(sent, [peer, 0], 1, cmp=pld.WaitCmp.Ge)

    @pl.function(type=pl.FunctionType.InCore)
    def read(
        self,
        win: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
        after: pl.Out[pl.Tensor[[1, 16], pl.INT32]],
    ):
        new = pl.read(win, [0, 3])
        tile = pl.tile.full([1, 16], dtype=pl.INT32, value=new)
        pl.store(tile, [0, 0], after)

    @pl.function(type=pl.FunctionType.Orchestration)
    def swap(
        self,
        x: pl.Tensor[[1, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
        ready: pl.InOut[pld.DistributedTensor[[2, 1], pl.INT32]],
        sent: pl.InOut[pld.DistributedTensor[[2, 1], pl.INT32]],
        before: pl.Out[pl.Tensor[[1, 16], pl.INT32]],
        after: pl.Out[pl.Tensor[[1, 16], pl.INT32]],
    ):
        self.warm(win, before)
        self.exchange(x, win, ready, sent)
        self.read(win, after)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(
        self,
        x: pl.Tensor[[2, 1, 16], pl.INT32],
        before: pl.Out[pl.Tensor[[2, 1, 16], pl.INT32]],
        after: pl.Out[pl.Tensor[[2, 1, 16], pl.INT32]],
    ):
        data = pld.tensor.alloc_window_buffer(64)
        first = pld.tensor.alloc_window_buffer(64)
        second = pld.tensor.alloc_window_buffer(64)
        for r in pl.range(pld.system.world_size()):
            win = pld.tensor.window(data, [1, 16], dtype=pl.INT32)
            ready = pld.tensor.window(first, [2, 1], dtype=pl.INT32)
            sent = pld.tensor.window(second, [2, 1], dtype=pl.INT32)
            self.swap(x[r], win, ready, sent, before[r], after[r], device=r)
