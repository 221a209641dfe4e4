# SPDX-License-Identifier: MIT
# Every rank reduces its part of each tile over all ranks. Block b of several works on tiles b, b + BLOCKS, ... and syncs
# on lane b of the signal.
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class builtin:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, target: pl.InOut[pld.DistributedTensor[[1, COUNT], pl.DTYPE]], signal: pl.InOut[pld.DistributedTensor[[RANKS, LANES], pl.INT32]]):
        ctx = pld.system.get_comm_ctx(signal)
        me = pld.system.rank(ctx)
        lane = pl.tile.get_block_idx()
        for peer in pl.range(RANKS):
            if peer != me:
                pld.system.notify(signal, peer, [me, lane], 1, op=pld.NotifyOp.AtomicAdd)
        for peer in pl.range(RANKS):
            if peer != me:
                pld.system.wait(signal, [peer, lane], 1, cmp=pld.WaitCmp.Ge)
        pl.system.bar_all()
        round = 1
        for tile in pl.range(lane, TILES, BLOCKS):
            col = tile * WIDTH
            n = pl.min(WIDTH, COUNT - col)
            acc = pl.tile.load(target, [0, col], [1, WIDTH], [1, n], target_memory=pl.Mem.Vec)
            for peer in pl.range(RANKS):
                if peer != me:
                    other = pld.tile.remote_load(target, peer, [0, col], [1, WIDTH], [1, n])
                    acc = pl.tile.OP(acc, other)
            round = round + 1
            for peer in pl.range(RANKS):
                if peer != me:
                    pld.system.notify(signal, peer, [me, lane], 1, op=pld.NotifyOp.AtomicAdd)
            for peer in pl.range(RANKS):
                if peer != me:
                    pld.system.wait(signal, [peer, lane], round, cmp=pld.WaitCmp.Ge)
            pl.system.bar_all()
            pl.tile.store(acc, [0, col], target, [1, n])
        pl.system.bar_all()
        for peer in pl.range(RANKS):
            if peer != me:
                pld.system.notify(signal, me, [peer, lane], 0 - round, op=pld.NotifyOp.AtomicAdd)
