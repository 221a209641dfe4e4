# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
SIZE = 48


@pl.program
class AllreduceMesh:
    """The runtime's allreduce: every rank reads every peer, then tells it so, then stores the sum in place.

    Nothing drains the loads in front of the read-complete notify, so a slow load can return what
    the peer has stored since.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def stage(
        self, x: pl.Tensor[[1, SIZE], pl.FP32], win: pl.InOut[pld.DistributedTensor[[1, SIZE], pl.FP32]]
    ):
        mine = pl.load(x, [0, 0], [1, SIZE])
        pl.store(mine, [0, 0], win)

    @pl.function(type=pl.FunctionType.InCore)
    def copy(
        self, win: pl.InOut[pld.DistributedTensor[[1, SIZE], pl.FP32]], out: pl.Out[pl.Tensor[[1, SIZE], pl.FP32]]
    ):
        total = pl.load(win, [0, 0], [1, SIZE])
        pl.store(total, [0, 0], out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def publish(
        self, x: pl.Tensor[[1, SIZE], pl.FP32], win: pl.InOut[pld.DistributedTensor[[1, SIZE], pl.FP32]]
    ):
        self.stage(x, win)

    @pl.function(type=pl.FunctionType.Orchestration)
    def consume(
        self, win: pl.InOut[pld.DistributedTensor[[1, SIZE], pl.FP32]], out: pl.Out[pl.Tensor[[1, SIZE], pl.FP32]]
    ):
        self.copy(win, out)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(
        self,
        x: pl.Tensor[[NR, 1, SIZE], pl.FP32],
        out: pl.Out[pl.Tensor[[NR, 1, SIZE], pl.FP32]],
    ):
        ws = pld.system.world_size()
        data = pld.tensor.alloc_window_buffer(SIZE * 4)
        win = pld.tensor.window(data, [1, SIZE], dtype=pl.FP32)
        for r in pl.range(ws):
            self.publish(x[r], win, device=r)
        total = pld.tensor.allreduce(win, op=pld.ReduceOp.Sum)
        for r in pl.range(ws):
            self.consume(total, out[r], device=r)
