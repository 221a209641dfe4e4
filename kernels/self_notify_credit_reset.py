# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4
# fencebench: arg peer=(rank+1)%nranks
import pypto.language as pl
import pypto.language.distributed as pld

ROUNDS = 2
REPS = 3
SIZE = 32


@pl.program
class SelfNotifyCreditReset:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        inp: pl.Tensor[[ROUNDS, SIZE], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[ROUNDS, SIZE], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[ROUNDS, SIZE], pl.INT32]],
        credit: pl.InOut[pl.Tensor[[1, 16], pl.INT32]],
        peer: pl.Scalar[pl.INT32],
    ) -> pl.Tensor[[ROUNDS, SIZE], pl.INT32]:
        """REPS credits stand for one row; the receiver takes them back and the cell serves again.

        A fast neighbour may send the credits of the next round before this one's are taken back: they
        add up, and a wait that passes still means that all credits of its round have come. After
        the last round the cell reads 0.
        """
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        stage = pl.tile.create([1, SIZE], dtype=pl.INT32, target_memory=pl.Mem.Vec)

        for k in pl.range(ROUNDS):
            pld.tile.put(win, peer, inp, stage, [k, 0], [k, 0], [1, SIZE], atomic=pld.AtomicType.None_)
            for i in pl.range(REPS):
                pld.system.notify(sig, peer, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)
            pld.system.wait(sig, [0, 0], REPS, cmp=pld.WaitCmp.Ge)
            pld.system.notify(sig, me, [0, 0], -REPS, op=pld.NotifyOp.AtomicAdd)
            row = pl.load(win, [k, 0], [1, SIZE])
            out = pl.store(row, [k, 0], out)

        rest = pl.read(sig, [0, 0])
        pl.write(credit, [0, 0], rest)
        return out
