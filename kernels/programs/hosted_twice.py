# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4,8
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")


@pl.program
class HostedTwice:
    """Two calls of the host with one signal and one window: the first leaves the signal as it was, and ends
    when every peer has read.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def stage(
        self,
        x: pl.Tensor[[NR, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[NR, 16], pl.INT32]],
    ):
        for row in pl.range(NR):
            mine = pl.load(x, [row, 0], [1, 16])
            pl.store(mine, [row, 0], win)

    @pl.function(type=pl.FunctionType.InCore)
    def copy(
        self,
        win: pl.InOut[pld.DistributedTensor[[NR, 16], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 16], pl.INT32]],
    ):
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        own = pl.load(win, [me, 0], [1, 16])
        out = pl.store(own, [0, 0], out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def publish(
        self,
        x: pl.Tensor[[NR, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[NR, 16], pl.INT32]],
    ):
        self.stage(x, win)

    @pl.function(type=pl.FunctionType.Orchestration)
    def consume(
        self,
        win: pl.InOut[pld.DistributedTensor[[NR, 16], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 16], pl.INT32]],
    ):
        self.copy(win, out)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(
        self,
        x: pl.Tensor[[2, NR, NR, 16], pl.INT32],
        out: pl.Out[pl.Tensor[[2, NR, 1, 16], pl.INT32]],
    ):
        ws = pld.system.world_size()
        data = pld.tensor.alloc_window_buffer(ws * 64)
        cells = pld.tensor.alloc_window_buffer(ws * 4)
        win = pld.tensor.window(data, [ws, 16], dtype=pl.INT32)
        sig = pld.tensor.window(cells, [ws, 1], dtype=pl.INT32)
        for call in pl.range(2):
            for r in pl.range(ws):
                self.publish(x[call, r], win, device=r)
            pld.tensor.reduce_scatter(win, sig, op=pld.ReduceOp.Sum)
            for r in pl.range(ws):
                self.consume(win, out[call, r], device=r)
