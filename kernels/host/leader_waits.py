# SPDX-License-Identifier: MIT
# fencebench: ranks 2
import pypto.language as pl
import pypto.language.distributed as pld

BLOCKS = 2


@pl.program
class LeaderWaits:
    """Of two blocks that run at once, the first waits for the peer's row and tells the second.

    The second has read the window before, through a cache of its own.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[1, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
        row: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
        told: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
        out: pl.InOut[pl.Tensor[[BLOCKS, 16], pl.INT32]],
    ):
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        block = pl.tile.get_block_idx()
        if block == 0:
            t = pl.load(x, [0, 0], [1, 8])
            pld.tile.remote_store(t, win, 1 - me, [0, 0])
            pld.system.notify(row, 1 - me, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)
            pld.system.wait(row, [0, 0], 1, cmp=pld.WaitCmp.Ge)
            pld.system.notify(told, me, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)
        else:
            # A word that nobody writes, on the line of those that the peer does.
            pl.write(out, [block, 1], pl.read(told, [0, 8]))
            pl.write(out, [block, 2], pl.read(win, [0, 15]))
            pld.system.wait(told, [0, 0], 1, cmp=pld.WaitCmp.Ge)
            pl.write(out, [block, 0], pl.read(win, [0, 0]))

    @pl.function(type=pl.FunctionType.Spmd, attrs={"core_num": BLOCKS})
    def blocks(
        self,
        x: pl.Tensor[[1, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
        row: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
        told: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
        out: pl.InOut[pl.Tensor[[BLOCKS, 16], pl.INT32]],
    ):
        self.kernel(x, win, row, told, out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(
        self,
        x: pl.Tensor[[1, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
        row: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
        told: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
        out: pl.InOut[pl.Tensor[[BLOCKS, 16], pl.INT32]],
    ):
        self.blocks(x, win, row, told, out)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(
        self,
        x: pl.Tensor[[2, 1, 16], pl.INT32],
        out: pl.InOut[pl.Tensor[[2, BLOCKS, 16], pl.INT32]],
    ):
        a = pld.tensor.alloc_window_buffer(64)
        b = pld.tensor.alloc_window_buffer(64)
        c = pld.tensor.alloc_window_buffer(64)
        for r in pl.range(2):
            win = pld.tensor.window(a, [1, 16], dtype=pl.INT32)
            row = pld.tensor.window(b, [1, 16], dtype=pl.INT32)
            told = pld.tensor.window(c, [1, 16], dtype=pl.INT32)
            self.chip(x[r], win, row, told, out[r], device=r)
