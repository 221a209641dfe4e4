# SPDX-License-Identifier: MIT
# fencebench: ranks 3
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
SIZE = 48


@pl.program
class AllreduceRing:
    """The runtime's ring: each step loads a segment from the left neighbour and stores it in place.

    A step ends in a dcci of each line that was stored and a barrier of all pipes. The store is then out
    of the pipe, but nothing waits until it has landed: the next step's notify can overtake it.
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
        cells = pld.tensor.alloc_window_buffer((2 * ws - 1) * ws * 4)
        sig = pld.tensor.window(cells, [5, 3], dtype=pl.INT32)
        win = pld.tensor.window(data, [1, SIZE], dtype=pl.FP32)
        for r in pl.range(ws):
            self.publish(x[r], win, device=r)
        total = pld.tensor.allreduce(win, sig, op=pld.ReduceOp.Sum, mode="ring")
        for r in pl.range(ws):
            self.consume(total, out[r], device=r)
