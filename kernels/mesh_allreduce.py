# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4
# fencebench: payload SIZE
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
SIZE = 128
CHUNK = 64


@pl.program
class MeshAllreduce:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        inp: pl.Tensor[[1, SIZE], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[1, SIZE], pl.FP32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, SIZE], pl.FP32]],
    ) -> pl.Tensor[[1, SIZE], pl.FP32]:
        """Sum over all ranks: every rank reads the whole window of every peer, chunk by chunk.

        Cell [r, 0] of the signal counts what rank r has announced to this rank: 1 when its input is
        staged, then one more for each chunk that it has finished reading. A chunk is overwritten with
        its sum only after every peer has read it.
        """
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)

        for k in pl.range(SIZE // CHUNK):
            staged = pl.load(inp, [0, k * CHUNK], [1, CHUNK])
            pl.store(staged, [0, k * CHUNK], win)

        for peer in pl.range(nranks):
            if peer != me:
                pld.system.notify(sig, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        for src in pl.range(nranks):
            if src != me:
                pld.system.wait(sig, [src, 0], 1, cmp=pld.WaitCmp.Ge)

        for k in pl.range(SIZE // CHUNK):
            acc = pl.load(win, [0, k * CHUNK], [1, CHUNK])
            for peer in pl.range(nranks):
                if peer != me:
                    recv = pld.tile.remote_load(win, peer, [0, k * CHUNK], [1, CHUNK])
                    acc = pl.add(acc, recv)
            # This rank has read chunk k everywhere; wait until every peer has read it here.
            for peer in pl.range(nranks):
                if peer != me:
                    pld.system.notify(sig, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
            for src in pl.range(nranks):
                if src != me:
                    pld.system.wait(sig, [src, 0], k + 2, cmp=pld.WaitCmp.Ge)
            pl.store(acc, [0, k * CHUNK], win)

        # Give the credits back, so that the next call starts from 0.
        for src in pl.range(nranks):
            if src != me:
                pld.system.notify(sig, me, [src, 0], -(1 + SIZE // CHUNK), op=pld.NotifyOp.AtomicAdd)

        for k in pl.range(SIZE // CHUNK):
            total = pl.load(win, [0, k * CHUNK], [1, CHUNK])
            out = pl.store(total, [0, k * CHUNK], out)
        return out
