# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4,8
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")


@pl.program
class Credits:
    """Three credits to the right neighbour, all taken back by the receiver; then the same again on the same cell."""

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        done: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 16], pl.INT32]],
    ):
        ctx = pld.system.get_comm_ctx(sig)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)
        right = (me + 1) % nranks
        left = (me + nranks - 1) % nranks
        for turn in pl.range(2):
            for credit in pl.range(3):
                pld.system.notify(sig, right, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
            pld.system.wait(sig, [left, 0], 3, cmp=pld.WaitCmp.Ge)
            pld.system.notify(sig, me, [left, 0], -3, op=pld.NotifyOp.AtomicAdd)
        pld.system.notify(done, right, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        pld.system.wait(done, [left, 0], 1, cmp=pld.WaitCmp.Ge)
        pl.write(out, [0, 0], pl.read(sig, [left, 0]))

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(
        self,
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        done: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 16], pl.INT32]],
    ):
        self.kernel(sig, done, out)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(self, out: pl.Out[pl.Tensor[[NR, 1, 16], pl.INT32]]):
        ws = pld.system.world_size()
        cells = pld.tensor.alloc_window_buffer(ws * 4)
        ends = pld.tensor.alloc_window_buffer(ws * 4)
        sig = pld.tensor.window(cells, [ws, 1], dtype=pl.INT32)
        done = pld.tensor.window(ends, [ws, 1], dtype=pl.INT32)
        for r in pl.range(ws):
            self.chip(sig, done, out[r], device=r)
