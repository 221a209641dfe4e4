# SPDX-License-Identifier: MIT
# fencebench: ranks 2,3
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
SYNC = 0


@pl.program
class OverwriteUnread:
    """Two allgathers into one target: the second one of a fast rank overwrites what a slow rank has not read.

    An allgather has one barrier, behind its puts. Nothing tells a rank that its peers have read the
    first result. With SYNC=1 a barrier between the calls does.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def stage(
        self, x: pl.Tensor[[1, 16], pl.FP32], own: pl.InOut[pld.DistributedTensor[[1, 16], pl.FP32]]
    ):
        mine = pl.load(x, [0, 0], [1, 16])
        pl.store(mine, [0, 0], own)

    @pl.function(type=pl.FunctionType.InCore)
    def copy(
        self,
        all: pl.InOut[pld.DistributedTensor[[NR, 16], pl.FP32]],
        out: pl.Out[pl.Tensor[[NR, 16], pl.FP32]],
    ):
        for row in pl.range(NR):
            got = pl.load(all, [row, 0], [1, 16])
            pl.store(got, [row, 0], out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def publish(
        self, x: pl.Tensor[[1, 16], pl.FP32], own: pl.InOut[pld.DistributedTensor[[1, 16], pl.FP32]]
    ):
        self.stage(x, own)

    @pl.function(type=pl.FunctionType.Orchestration)
    def consume(
        self,
        all: pl.InOut[pld.DistributedTensor[[NR, 16], pl.FP32]],
        out: pl.Out[pl.Tensor[[NR, 16], pl.FP32]],
    ):
        self.copy(all, out)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(
        self,
        x: pl.Tensor[[2, NR, 1, 16], pl.FP32],
        out: pl.Out[pl.Tensor[[2, NR, NR, 16], pl.FP32]],
    ):
        ws = pld.system.world_size()
        source = pld.tensor.alloc_window_buffer(64)
        target = pld.tensor.alloc_window_buffer(ws * 64)
        cells = pld.tensor.alloc_window_buffer(ws * 4)
        own = pld.tensor.window(source, [1, 16], dtype=pl.FP32)
        all = pld.tensor.window(target, [ws, 16], dtype=pl.FP32)
        sig = pld.tensor.window(cells, [ws, 1], dtype=pl.INT32)
        for call in pl.range(2):
            for r in pl.range(ws):
                self.publish(x[call, r], own, device=r)
            pld.tensor.allgather(own, all, sig)
            for r in pl.range(ws):
                self.consume(all, out[call, r], device=r)
            if SYNC == 1:
                pld.tensor.barrier(sig)
