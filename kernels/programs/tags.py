# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4,8
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")


@pl.program
class Tags:
    """The signal is the message: each rank adds its number + 1 at its right neighbour, which reads the sum and
    takes it back. Three times over, on a cell of its own each.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        sig: pl.InOut[pld.DistributedTensor[[3, 16], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 16], pl.INT32]],
        turn: pl.Scalar[pl.INT32],
    ):
        ctx = pld.system.get_comm_ctx(sig)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)
        pld.system.notify(sig, (me + 1) % nranks, [turn, 0], me + 1, op=pld.NotifyOp.AtomicAdd)
        pld.system.wait(sig, [turn, 0], 1, cmp=pld.WaitCmp.Ge)
        tag = pl.read(sig, [turn, 0])
        pl.write(out, [0, 0], tag)
        pld.system.notify(sig, me, [turn, 0], -tag, op=pld.NotifyOp.AtomicAdd)

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(
        self,
        sig: pl.InOut[pld.DistributedTensor[[3, 16], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 16], pl.INT32]],
        turn: pl.Scalar[pl.INT32],
    ):
        self.kernel(sig, out, turn)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(self, out: pl.Out[pl.Tensor[[3, NR, 1, 16], pl.INT32]]):
        ws = pld.system.world_size()
        cells = pld.tensor.alloc_window_buffer(192)
        sig = pld.tensor.window(cells, [3, 16], dtype=pl.INT32)
        for turn in pl.range(3):
            for r in pl.range(ws):
                self.chip(sig, out[turn, r], turn, device=r)
