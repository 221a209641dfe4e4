# SPDX-License-Identifier: MIT
# fencebench: ranks 1
import pypto.language as pl

BLOCKS = 3
NEIGHBOUR = 1


@pl.program
class SpmdBlocks:
    """The blocks of an SPMD launch run at once, each on a core of its own.

    Each stores a row and loads its neighbour's, which nothing orders; with NEIGHBOUR=0 its own.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        mid: pl.InOut[pl.Tensor[[BLOCKS, 16], pl.INT32]],
        out: pl.Out[pl.Tensor[[BLOCKS, 16], pl.INT32]],
    ):
        block = pl.tile.get_block_idx()
        blocks = pl.tile.get_block_num()
        ones = pl.tile.full([1, 16], dtype=pl.INT32, value=1)
        mid = pl.store(ones, [block, 0], mid)
        pl.system.fence()
        row = pl.load(mid, [(block + NEIGHBOUR) % blocks, 0], [1, 16])
        out = pl.store(row, [block, 0], out)

    @pl.function(type=pl.FunctionType.Spmd, attrs={"core_num": BLOCKS})
    def blocks(
        self,
        mid: pl.InOut[pl.Tensor[[BLOCKS, 16], pl.INT32]],
        out: pl.Out[pl.Tensor[[BLOCKS, 16], pl.INT32]],
    ):
        self.kernel(mid, out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(
        self,
        mid: pl.InOut[pl.Tensor[[BLOCKS, 16], pl.INT32]],
        out: pl.Out[pl.Tensor[[BLOCKS, 16], pl.INT32]],
    ):
        self.blocks(mid, out)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(
        self,
        mid: pl.InOut[pl.Tensor[[BLOCKS, 16], pl.INT32]],
        out: pl.Out[pl.Tensor[[BLOCKS, 16], pl.INT32]],
    ):
        self.chip(mid, out, device=0)
