# SPDX-License-Identifier: MIT
# Each rank reduces its own row over all ranks.
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class builtin:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, target: pl.InOut[pld.DistributedTensor[[RANKS, COUNT], pl.DTYPE]], signal: pl.InOut[pld.DistributedTensor[[RANKS, LANES], pl.INT32]]):
        ctx = pld.system.get_comm_ctx(signal)
        me = pld.system.rank(ctx)
        for peer in pl.range(RANKS):
            if peer != me:
                pld.system.notify(signal, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        for peer in pl.range(RANKS):
            if peer != me:
                pld.system.wait(signal, [peer, 0], 1, cmp=pld.WaitCmp.Ge)
                pl.system.cacheinvalid()
        for tile in pl.range(TILES):
            col = tile * WIDTH
            n = pl.min(WIDTH, COUNT - col)
            acc = pl.tile.load(target, [me, col], [1, WIDTH], [1, n], target_memory=pl.Mem.Vec)
            for peer in pl.range(RANKS):
                if peer != me:
                    other = pld.tile.remote_load(target, peer, [me, col], [1, WIDTH], [1, n])
                    acc = pl.tile.OP(acc, other)
            pl.tile.store(acc, [me, col], target, [1, n])
            pl.system.cacheinvalid(target, [1, 1], [me, col])
            pl.system.bar_all()
            pl.system.fence()
        for peer in pl.range(RANKS):
            if peer != me:
                pld.system.notify(signal, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        for peer in pl.range(RANKS):
            if peer != me:
                pld.system.wait(signal, [peer, 0], 2, cmp=pld.WaitCmp.Ge)
                pl.system.cacheinvalid()
        for peer in pl.range(RANKS):
            if peer != me:
                pld.system.notify(signal, me, [peer, 0], -2, op=pld.NotifyOp.AtomicAdd)
