# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4,8
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
FORM = 0


@pl.program
class Twice:
    """Two collectives, one behind the other, with one signal: the first leaves it as it was.

    FORM=0: all_to_all; FORM=1: allgather; FORM=2: reduce_scatter, in two windows.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[NR, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[NR, 16], pl.INT32]],
        more: pl.InOut[pld.DistributedTensor[[NR, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[2 * NR, 16], pl.INT32]],
    ):
        for row in pl.range(NR):
            if FORM == 2:
                mine = pl.load(x, [row, 0], [1, 16])
                pl.store(mine, [row, 0], win)
                pl.store(pl.add(mine, mine), [row, 0], more)
        if FORM == 0:
            pld.tensor.all_to_all(x, win, sig)
            pld.tensor.all_to_all(x, more, sig)
        elif FORM == 1:
            pld.tensor.allgather(x, win, sig)
            pld.tensor.allgather(x, more, sig)
        else:
            pld.tensor.reduce_scatter(win, sig, op=pld.ReduceOp.Sum)
            pld.tensor.reduce_scatter(more, sig, op=pld.ReduceOp.Sum)
        for row in pl.range(NR):
            first = pl.load(win, [row, 0], [1, 16])
            out = pl.store(first, [row, 0], out)
            second = pl.load(more, [row, 0], [1, 16])
            out = pl.store(second, [NR + row, 0], out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(
        self,
        x: pl.Tensor[[NR, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[NR, 16], pl.INT32]],
        more: pl.InOut[pld.DistributedTensor[[NR, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[2 * NR, 16], pl.INT32]],
    ):
        self.kernel(x, win, more, sig, out)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(
        self,
        x: pl.Tensor[[NR, NR, 16], pl.INT32],
        out: pl.Out[pl.Tensor[[NR, 2 * NR, 16], pl.INT32]],
    ):
        ws = pld.system.world_size()
        one = pld.tensor.alloc_window_buffer(ws * 64)
        two = pld.tensor.alloc_window_buffer(ws * 64)
        cells = pld.tensor.alloc_window_buffer(ws * 4)
        win = pld.tensor.window(one, [ws, 16], dtype=pl.INT32)
        more = pld.tensor.window(two, [ws, 16], dtype=pl.INT32)
        sig = pld.tensor.window(cells, [ws, 1], dtype=pl.INT32)
        for r in pl.range(ws):
            self.chip(x[r], win, more, sig, out[r], device=r)
