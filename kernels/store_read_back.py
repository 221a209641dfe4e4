# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4
import pypto.language as pl
import pypto.language.distributed as pld

SIZE = 16


@pl.program
class StoreReadBack:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        inp: pl.Tensor[[1, SIZE], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[1, 2 * SIZE], pl.INT32]],
        out: pl.InOut[pl.Tensor[[1, SIZE], pl.INT32]],
    ) -> pl.Tensor[[1, SIZE], pl.INT32]:
        """Read a word of the own window by scalar, store the line it lies on by DMA, read it again.

        The line is the second of the window: the marker behind the store drops the first one only, and the second
        read hits what the first one loaded.
        """
        before = pl.read(win, [0, SIZE + 8])
        t = pl.load(inp, [0, 0], [1, SIZE])
        pl.store(t, [0, SIZE], win)
        after = pl.read(win, [0, SIZE + 8])
        pl.write(out, [0, 0], before + after)
        return out
