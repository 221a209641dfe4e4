# SPDX-License-Identifier: MIT
# fencebench: ranks 4
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")


@pl.program
class LateRanks:
    """A rendezvous of all ranks, released twice: first rank after rank, then by one submission.

    The compiler marks the loop over world_size() as a group; the loop over a number it does not.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def meet(self, sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]]):
        ctx = pld.system.get_comm_ctx(sig)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)
        for peer in pl.range(nranks):
            if peer != me:
                pld.system.notify(sig, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        for src in pl.range(nranks):
            if src != me:
                pld.system.wait(sig, [src, 0], 1, cmp=pld.WaitCmp.Ge)

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]]):
        self.meet(sig)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(self):
        ws = pld.system.world_size()
        one = pld.tensor.alloc_window_buffer(ws * 4)
        two = pld.tensor.alloc_window_buffer(ws * 4)
        apart = pld.tensor.window(one, [ws, 1], dtype=pl.INT32)
        together = pld.tensor.window(two, [ws, 1], dtype=pl.INT32)
        for r in pl.range(4):
            self.chip(apart, device=r)
        for r in pl.range(ws):
            self.chip(together, device=r)
