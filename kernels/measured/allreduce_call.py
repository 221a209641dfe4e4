# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4
# fencebench: payload SIZE
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
SIZE = 8192
TILE = 8192


@pl.program
class AllreduceCall:
    """The collective as it was measured on devices (device.md 1): staged in tiles of 32 KiB, one call, copied out.

    The call works in chunks of 16 KiB, each with a barrier of its own. SIZE is a multiple of TILE.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        inp: pl.Tensor[[1, SIZE], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[1, SIZE], pl.FP32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, SIZE], pl.FP32]],
    ) -> pl.Tensor[[1, SIZE], pl.FP32]:
        for k in pl.range(SIZE // TILE):
            staged = pl.load(inp, [0, k * TILE], [1, TILE])
            pl.store(staged, [0, k * TILE], win)
        win = pld.tensor.allreduce(win, sig, op=pld.ReduceOp.Sum)
        for k in pl.range(SIZE // TILE):
            total = pl.load(win, [0, k * TILE], [1, TILE])
            out = pl.store(total, [0, k * TILE], out)
        return out
