# SPDX-License-Identifier: MIT
# fencebench: ranks 1
import pypto.language as pl

SIZE = 16


@pl.program
class AnchorStoreBack:
    """A task reads an element of a tensor and writes it back at its end, so that the runtime sees a dependence.

    The tensor is filled by DMA. A task before that has read the same address by scalar, and ends without a scalar store.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def look(
        self,
        inp: pl.Tensor[[1, SIZE], pl.INT32],
        t: pl.InOut[pl.Tensor[[1, SIZE], pl.INT32]],
        seen: pl.Out[pl.Tensor[[1, SIZE], pl.INT32]],
    ):
        before = pl.read(t, [0, 0])
        row = pl.load(inp, [0, 0], [1, SIZE])
        pl.store(pl.add(row, before), [0, 0], seen)

    @pl.function(type=pl.FunctionType.InCore)
    def fill(
        self,
        inp: pl.Tensor[[1, SIZE], pl.INT32],
        t: pl.InOut[pl.Tensor[[1, SIZE], pl.INT32]],
    ):
        row = pl.load(inp, [0, 0], [1, SIZE])
        pl.store(pl.add(row, row), [0, 0], t)

    @pl.function(type=pl.FunctionType.InCore)
    def retire(
        self,
        t: pl.InOut[pl.Tensor[[1, SIZE], pl.INT32]],
    ):
        anchor = pl.read(t, [0, 0])
        pl.write(t, [0, 0], anchor)
