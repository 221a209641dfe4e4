# SPDX-License-Identifier: MIT
# Everybody fetches the root's tiles, one after the other.
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class builtin:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, target: pl.InOut[pld.DistributedTensor[[1, COUNT], pl.DTYPE]], signal: pl.InOut[pld.DistributedTensor[[RANKS, LANES], pl.INT32]]):
        ctx = pld.system.get_comm_ctx(signal)
        me = pld.system.rank(ctx)
        for tile in pl.range(TILES):
            col = tile * WIDTH
            n = pl.min(WIDTH, COUNT - col)
            if me == ROOT:
                own = pl.tile.load(target, [0, col], [1, WIDTH], [1, n], target_memory=pl.Mem.Vec)
                pl.tile.store(own, [0, col], target, [1, n])
            pl.system.bar_all()
            for peer in pl.range(RANKS):
                if peer != me:
                    pld.system.notify(signal, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
            for peer in pl.range(RANKS):
                if peer != me:
                    pld.system.wait(signal, [peer, 0], tile + 1, cmp=pld.WaitCmp.Ge)
            pl.system.bar_all()
            if me != ROOT:
                got = pld.tile.remote_load(target, ROOT, [0, col], [1, WIDTH], [1, n])
                pl.tile.store(got, [0, col], target, [1, n])
        pl.system.bar_all()
        for peer in pl.range(RANKS):
            if peer != me:
                pld.system.notify(signal, me, [peer, 0], -TILES, op=pld.NotifyOp.AtomicAdd)
