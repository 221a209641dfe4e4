# SPDX-License-Identifier: MIT
# fencebench: ranks 1
import pypto.language as pl
import pypto.language.distributed as pld

DMA = 0


@pl.program
class HandOver:
    """A task stores, the next one, of another core, loads what it stored: nothing but the end of the
    first orders the two. It stores by scalar, with DMA=1 from a tile, with DMA=2 from a tile that it
    waits for by a flag of its own.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def by_scalar(self, x: pl.Tensor[[1, 16], pl.INT32], mid: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):
        count = pl.read(x, [0, 3])
        pl.write(mid, [0, 0], count)

    @pl.function(type=pl.FunctionType.InCore)
    def by_dma(self, x: pl.Tensor[[1, 16], pl.INT32], mid: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):
        row = pl.load(x, [0, 0], [1, 16])
        mid = pl.store(row, [0, 0], mid)

    @pl.function(type=pl.FunctionType.InCore)
    def read(self, mid: pl.Tensor[[1, 16], pl.INT32], out: pl.Out[pl.Tensor[[1, 16], pl.INT32]]):
        pl.write(out, [0, 0], pl.read(mid, [0, 0]))

    @pl.function(type=pl.FunctionType.InCore)
    def with_flags(self, x: pl.Tensor[[1, 16], pl.INT32], mid: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):
        row = pl.load(x, [0, 0], [1, 16])
        pl.system.sync_src(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.MTE3, event_id=0)
        pl.system.sync_dst(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.MTE3, event_id=0)
        mid = pl.store(row, [0, 0], mid)

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(
        self,
        x: pl.Tensor[[1, 16], pl.INT32],
        mid: pl.InOut[pl.Tensor[[1, 16], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 16], pl.INT32]],
    ):
        if DMA == 1:
            self.by_dma(x, mid)
        elif DMA == 2:
            self.with_flags(x, mid)
        else:
            self.by_scalar(x, mid)
        self.read(mid, out)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(
        self,
        x: pl.Tensor[[1, 16], pl.INT32],
        mid: pl.InOut[pl.Tensor[[1, 16], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 16], pl.INT32]],
    ):
        for r in pl.range(1):
            self.chip(x, mid, out, device=r)
