# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4
# fencebench: arg peer=(rank+1)%nranks
# fencebench: payload SIZE
import pypto.language as pl
import pypto.language.distributed as pld

SIZE = 128
CHUNK = 64


@pl.program
class PutRing:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        inp: pl.Tensor[[1, SIZE], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[1, SIZE], pl.FP32]],
        sig: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, SIZE], pl.FP32]],
        peer: pl.Scalar[pl.INT32],
    ) -> pl.Tensor[[1, SIZE], pl.FP32]:
        """Put the input into the right neighbour's window through a staging tile of half its size."""
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        stage = pl.tile.create([1, CHUNK], dtype=pl.FP32, target_memory=pl.Mem.Vec)

        pld.tile.put(win, peer, inp, stage, [0, 0], [0, 0], [1, SIZE], atomic=pld.AtomicType.None_)
        pld.system.notify(sig, peer, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)
        pld.system.wait(sig, [0, 0], 1, cmp=pld.WaitCmp.Ge)
        pld.system.notify(sig, me, [0, 0], -1, op=pld.NotifyOp.AtomicAdd)

        for k in pl.range(SIZE // CHUNK):
            part = pl.load(win, [0, k * CHUNK], [1, CHUNK])
            out = pl.store(part, [0, k * CHUNK], out)
        return out
