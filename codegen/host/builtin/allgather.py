# SPDX-License-Identifier: MIT
# Each rank pushes its row to all ranks.
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class builtin:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, source: pl.InOut[pld.DistributedTensor[[1, COUNT], pl.DTYPE]], target: pl.InOut[pld.DistributedTensor[[RANKS, COUNT], pl.DTYPE]], signal: pl.InOut[pld.DistributedTensor[[RANKS, LANES], pl.INT32]]):
        ctx = pld.system.get_comm_ctx(signal)
        me = pld.system.rank(ctx)
        stage = pl.tile.create([1, WIDTH], dtype=pl.DTYPE, target_memory=pl.Mem.Vec)
        for dest in pl.range(RANKS):
            for tile in pl.range(TILES):
                col = tile * WIDTH
                n = pl.min(WIDTH, COUNT - col)
                pl.system.bar_all()
                pld.tile.put(target, dest, source, stage, [me, col], [0, col], [1, n], atomic=pld.AtomicType.None_)
                pl.system.bar_all()
        pl.system.bar_all()
        pl.system.fence()
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
