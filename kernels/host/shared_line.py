# SPDX-License-Identifier: MIT
# fencebench: ranks 2
import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class SharedLine:
    """Data that a rank stores by scalar, and a signal that its peer adds to, in slots of one domain.

    The data take 32 bytes. At 32-byte alignment the signal's cells share their line: the store
    fetches the line, the peer's notify lands in memory, and the marker's write-back puts the old
    cells over it. At 64 bytes each has a line of its own.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def swap(
        self,
        win: pl.InOut[pld.DistributedTensor[[1, 8], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[2, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 8], pl.INT32]],
    ):
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        for i in pl.range(8):
            pl.write(win, [0, i], me * 10 + i)
        pld.system.notify(sig, 1 - me, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        pld.system.wait(sig, [1 - me, 0], 1, cmp=pld.WaitCmp.Ge)
        theirs = pld.tile.remote_load(win, 1 - me, [0, 0], [1, 8])
        pl.store(theirs, [0, 0], out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(
        self,
        win: pl.InOut[pld.DistributedTensor[[1, 8], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[2, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 8], pl.INT32]],
    ):
        self.swap(win, sig, out)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(self, out: pl.Out[pl.Tensor[[2, 1, 8], pl.INT32]]):
        data = pld.tensor.alloc_window_buffer(32)
        cells = pld.tensor.alloc_window_buffer(8)
        for r in pl.range(pld.system.world_size()):
            win = pld.tensor.window(data, [1, 8], dtype=pl.INT32)
            sig = pld.tensor.window(cells, [2, 1], dtype=pl.INT32)
            self.chip(win, sig, out[r], device=r)
