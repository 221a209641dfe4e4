# SPDX-License-Identifier: MIT
# The segments of the target go around the ring, first reduced and then copied: the segment of a round comes from the left
# neighbour, and each round syncs on a row of the signal of its own.
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class builtin:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, target: pl.InOut[pld.DistributedTensor[[1, RANKS * COUNT], pl.DTYPE]], signal: pl.InOut[pld.DistributedTensor[[2 * RANKS - 1, RANKS], pl.INT32]]):
        ctx = pld.system.get_comm_ctx(signal)
        me = pld.system.rank(ctx)
        left = (me + RANKS - 1) % RANKS
        for step in pl.range(1, RANKS):
            row = step - 1
            for peer in pl.range(RANKS):
                if peer != me:
                    pld.system.notify(signal, peer, [row, me], 1, op=pld.NotifyOp.AtomicAdd)
            for peer in pl.range(RANKS):
                if peer != me:
                    pld.system.wait(signal, [row, peer], 1, cmp=pld.WaitCmp.Ge)
            pl.system.bar_all()
            start = (me + 2 * RANKS - step - 1) % RANKS * COUNT
            for tile in pl.range(TILES):
                n = pl.min(WIDTH, COUNT - tile * WIDTH)
                col = start + tile * WIDTH
                acc = pld.tile.remote_load(target, left, [0, col], [1, WIDTH], [1, n])
                own = pl.tile.load(target, [0, col], [1, WIDTH], [1, n], target_memory=pl.Mem.Vec)
                acc = pl.tile.add(acc, own)
                pl.tile.store(acc, [0, col], target, [1, n])
            for line in pl.range((COUNT + 15) // 16):
                pl.system.cacheinvalid(target, [1, 1], [0, start + line * 16])
            pl.system.bar_all()
        for step in pl.range(1, RANKS):
            row = RANKS - 2 + step
            for peer in pl.range(RANKS):
                if peer != me:
                    pld.system.notify(signal, peer, [row, me], 1, op=pld.NotifyOp.AtomicAdd)
            for peer in pl.range(RANKS):
                if peer != me:
                    pld.system.wait(signal, [row, peer], 1, cmp=pld.WaitCmp.Ge)
            pl.system.bar_all()
            start = (me + RANKS - step) % RANKS * COUNT
            for tile in pl.range(TILES):
                n = pl.min(WIDTH, COUNT - tile * WIDTH)
                col = start + tile * WIDTH
                acc = pld.tile.remote_load(target, left, [0, col], [1, WIDTH], [1, n])
                pl.tile.store(acc, [0, col], target, [1, n])
            for line in pl.range((COUNT + 15) // 16):
                pl.system.cacheinvalid(target, [1, 1], [0, start + line * 16])
            pl.system.bar_all()
        for peer in pl.range(RANKS):
            if peer != me:
                pld.system.notify(signal, peer, [2 * RANKS - 2, me], 1, op=pld.NotifyOp.AtomicAdd)
        for peer in pl.range(RANKS):
            if peer != me:
                pld.system.wait(signal, [2 * RANKS - 2, peer], 1, cmp=pld.WaitCmp.Ge)
        pl.system.bar_all()
        for row in pl.range(2 * RANKS - 1):
            for peer in pl.range(RANKS):
                if peer != me:
                    pld.system.notify(signal, me, [row, peer], -1, op=pld.NotifyOp.AtomicAdd)
