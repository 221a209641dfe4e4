# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4
# fencebench: arg role=rank%2
# fencebench: arg peer=rank+1-2*(rank%2)
import pypto.language as pl
import pypto.language.distributed as pld

SIZE = 32


@pl.program
class ScalarPublishFirstLine:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        inp: pl.Tensor[[1, SIZE], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[1, SIZE], pl.INT32]],
        ready: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],
        free: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],
        out: pl.InOut[pl.Tensor[[1, SIZE], pl.INT32]],
        role: pl.Scalar[pl.INT32],
        peer: pl.Scalar[pl.INT32],
    ) -> pl.Tensor[[1, SIZE], pl.INT32]:
        """As scalar_publish, with every store on the line of the window's base address."""
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)

        if role == 0:
            a = pl.read(inp, [0, 0])
            pl.write(win, [0, 0], a)
            b = pl.read(inp, [0, 9])
            pl.write(win, [0, 9], b)
            c = pl.read(inp, [0, 15])
            pl.write(win, [0, 15], c)
            pld.system.notify(ready, peer, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)
            pld.system.wait(free, [0, 0], 1, cmp=pld.WaitCmp.Ge)
            pld.system.notify(free, me, [0, 0], -1, op=pld.NotifyOp.AtomicAdd)
        else:
            pld.system.wait(ready, [0, 0], 1, cmp=pld.WaitCmp.Ge)
            got = pld.tile.remote_load(win, peer, [0, 0], [1, SIZE])
            pl.store(got, [0, 0], out)
            pld.system.notify(free, peer, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)
            pld.system.notify(ready, me, [0, 0], -1, op=pld.NotifyOp.AtomicAdd)
        return out
