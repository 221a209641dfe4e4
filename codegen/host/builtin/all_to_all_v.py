# SPDX-License-Identifier: MIT
# Row d of each rank's source goes to rank d, and the number of its elements that count.
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class builtin:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, source: pl.InOut[pld.DistributedTensor[[RANKS, COUNT], pl.DTYPE]], target: pl.InOut[pld.DistributedTensor[[RANKS, COUNT], pl.DTYPE]], signal: pl.InOut[pld.DistributedTensor[[RANKS, LANES], pl.INT32]], send_counts: pl.InOut[pld.DistributedTensor[[RANKS, 1], pl.INT32]], recv_counts: pl.InOut[pld.DistributedTensor[[RANKS, 1], pl.INT32]]):
        ctx = pld.system.get_comm_ctx(signal)
        me = pld.system.rank(ctx)
        stage = pl.tile.create([1, WIDTH], dtype=pl.DTYPE, target_memory=pl.Mem.Vec)
        for dest in pl.range(RANKS):
            count = pl.read(send_counts, [dest, 0])
            pld.system.notify(recv_counts, dest, [me, 0], pl.min(count, MAX_ROWS), op=pld.NotifyOp.Set)
            for tile in pl.range(TILES):
                col = tile * WIDTH
                n = pl.min(WIDTH, COUNT - col)
                pl.system.bar_all()
                pld.tile.put(target, dest, source, stage, [me, col], [dest, col], [1, n], atomic=pld.AtomicType.None_)
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
