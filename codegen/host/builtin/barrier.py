# SPDX-License-Identifier: MIT
# Nobody goes on before all have come.
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class builtin:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, signal: pl.InOut[pld.DistributedTensor[[RANKS, LANES], pl.INT32]]):
        ctx = pld.system.get_comm_ctx(signal)
        me = pld.system.rank(ctx)
        for peer in pl.range(RANKS):
            if peer != me:
                pld.system.notify(signal, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        for peer in pl.range(RANKS):
            if peer != me:
                pld.system.wait(signal, [peer, 0], 1, cmp=pld.WaitCmp.Ge)
        pl.system.bar_all()
        for peer in pl.range(RANKS):
            if peer != me:
                pld.system.notify(signal, me, [peer, 0], -1, op=pld.NotifyOp.AtomicAdd)
