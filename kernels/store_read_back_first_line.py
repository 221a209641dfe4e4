# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4
import pypto.language as pl
import pypto.language.distributed as pld

SIZE = 16


@pl.program
class StoreReadBackFirstLine:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        inp: pl.Tensor[[1, SIZE], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[1, SIZE], pl.INT32]],
        out: pl.InOut[pl.Tensor[[1, SIZE], pl.INT32]],
    ) -> pl.Tensor[[1, SIZE], pl.INT32]:
        """As store_read_back, on the line of the window's base address.

        The marker drops that line, and then fences the store. A line that comes back between the two, by a prefetch,
        is the old one.
        """
        before = pl.read(win, [0, 0 + 8])
        t = pl.load(inp, [0, 0], [1, SIZE])
        pl.store(t, [0, 0], win)
        after = pl.read(win, [0, 0 + 8])
        pl.write(out, [0, 0], before + after)
        return out
