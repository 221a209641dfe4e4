# SPDX-License-Identifier: MIT
# fencebench: ranks 2,3
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
CLEAR = 0


@pl.program
class SignalReuse:
    """Two calls with one signal: the second wait is satisfied by what the first call left.

    With CLEAR=1 each call takes back what it has waited for, and the next one starts from 0.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def gather(
        self,
        x: pl.Tensor[[1, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[NR, 16], pl.INT32]],
    ):
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)
        mine = pl.load(x, [0, 0], [1, 16])
        pl.store(mine, [0, 0], win)
        for peer in pl.range(nranks):
            if peer != me:
                pld.system.notify(sig, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)
        for src in pl.range(nranks):
            if src != me:
                pld.system.wait(sig, [src, 0], 1, cmp=pld.WaitCmp.Ge)
        for peer in pl.range(nranks):
            got = pld.tile.remote_load(win, peer, [0, 0], [1, 16])
            pl.store(got, [peer, 0], out)
        if CLEAR == 1:
            for src in pl.range(nranks):
                if src != me:
                    pld.system.notify(sig, me, [src, 0], -1, op=pld.NotifyOp.AtomicAdd)

    @pl.function(type=pl.FunctionType.Orchestration)
    def call(
        self,
        x: pl.Tensor[[1, 16], pl.INT32],
        win: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[NR, 16], pl.INT32]],
    ):
        self.gather(x, win, sig, out)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(
        self,
        x: pl.Tensor[[2, NR, 1, 16], pl.INT32],
        out: pl.Out[pl.Tensor[[2, NR, NR, 16], pl.INT32]],
    ):
        ws = pld.system.world_size()
        one = pld.tensor.alloc_window_buffer(64)
        two = pld.tensor.alloc_window_buffer(64)
        cells = pld.tensor.alloc_window_buffer(ws * 4)
        for r in pl.range(ws):
            win1 = pld.tensor.window(one, [1, 16], dtype=pl.INT32)
            sig1 = pld.tensor.window(cells, [ws, 1], dtype=pl.INT32)
            self.call(x[0, r], win1, sig1, out[0, r], device=r)
        for r in pl.range(ws):
            win2 = pld.tensor.window(two, [1, 16], dtype=pl.INT32)
            sig2 = pld.tensor.window(cells, [ws, 1], dtype=pl.INT32)
            self.call(x[1, r], win2, sig2, out[1, r], device=r)
