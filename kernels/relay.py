# SPDX-License-Identifier: MIT
# fencebench: ranks 3
import pypto.language as pl
import pypto.language.distributed as pld

PAYLOAD = 8
USED = 15


@pl.program
class Relay:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        inp: pl.Tensor[[1, PAYLOAD], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],
        out: pl.InOut[pl.Tensor[[2, PAYLOAD], pl.INT32]],
        head: pl.InOut[pl.Tensor[[1, 16], pl.INT32]],
    ) -> pl.Tensor[[2, PAYLOAD], pl.INT32]:
        """Rank 0 puts to rank 1, which forwards from its own window to the next, and so on.

        Word USED of the window, on the payload's line, is written by nobody and says how many credits
        are spent; reading it brings the line into the cache before the payload arrives. Each rank
        reads the payload by scalar and by tile, and rank 0's own copy besides: what rank 0 did before
        it signalled rank 1 is visible to whoever rank 1 signalled in turn.
        """
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)
        stage = pl.tile.create([1, PAYLOAD], dtype=pl.INT32, target_memory=pl.Mem.Vec)
        used = pl.read(win, [0, USED])

        if me == 0:
            own = pl.load(inp, [0, 0], [1, PAYLOAD])
            pl.store(own, [0, 0], win)
            pld.tile.put(win, 1, inp, stage, [0, 0], [0, 0], [1, PAYLOAD], atomic=pld.AtomicType.None_)
            pld.system.notify(sig, 1, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)
        else:
            pld.system.wait(sig, [0, 0], used + 1, cmp=pld.WaitCmp.Ge)
            if me < nranks - 1:
                pld.tile.put(
                    win, me + 1, win, stage, [0, 0], [0, 0], [1, PAYLOAD], atomic=pld.AtomicType.None_
                )
                pld.system.notify(sig, me + 1, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)
            word = pl.read(win, [0, 0])
            pl.write(head, [0, 0], word)
            row = pl.load(win, [0, 0], [1, PAYLOAD])
            pl.store(row, [0, 0], out)
            origin = pld.tile.remote_load(win, 0, [0, 0], [1, PAYLOAD])
            pl.store(origin, [1, 0], out)
            pld.system.notify(sig, me, [0, 0], -1, op=pld.NotifyOp.AtomicAdd)
        return out
