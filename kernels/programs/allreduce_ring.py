# SPDX-License-Identifier: MIT
# fencebench: ranks 2,4,8
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
HOW = 0


@pl.program
class AllreduceRing:
    """The same sum around a ring: segments travel to the right, first reduced and then copied.

    HOW=0: a kernel calls the collective, with two barriers for each piece of a segment; HOW=1: one
    barrier a round, written out; HOW=2: the host calls it, with one barrier a round. The host's kernel
    drains the pipes behind a round's stores, and its next notify overtakes them. The same protocol
    with the markers that the compiler gives a kernel (HOW=1), a dsb behind each store, is the repair.
    """

    @pl.function(type=pl.FunctionType.InCore)
    def call(
        self,
        x: pl.Tensor[[1, 128], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[1, 128], pl.FP32]],
        sig: pl.InOut[pld.DistributedTensor[[2 * (NR - 1), NR], pl.INT32]],
        turns: pl.InOut[pld.DistributedTensor[[2 * NR - 1, NR], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 128], pl.FP32]],
    ):
        mine = pl.mul(pl.load(x, [0, 0], [1, 128]), 0.1)
        pl.store(mine, [0, 0], win)
        win = pld.tensor.allreduce(win, sig, op=pld.ReduceOp.Sum, mode="ring")
        total = pl.load(win, [0, 0], [1, 128])
        out = pl.store(total, [0, 0], out)

    @pl.function(type=pl.FunctionType.InCore)
    def protocol(
        self,
        x: pl.Tensor[[1, 128], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[1, 128], pl.FP32]],
        sig: pl.InOut[pld.DistributedTensor[[2 * (NR - 1), NR], pl.INT32]],
        turns: pl.InOut[pld.DistributedTensor[[2 * NR - 1, NR], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 128], pl.FP32]],
    ):
        ctx = pld.system.get_comm_ctx(win)
        me = pld.system.rank(ctx)
        nranks = pld.system.nranks(ctx)
        left = (me + nranks - 1) % nranks
        pieces = 8 // nranks
        mine = pl.mul(pl.load(x, [0, 0], [1, 128]), 0.1)
        pl.store(mine, [0, 0], win)
        for step in pl.range(1, nranks):
            for peer in pl.range(nranks):
                if peer != me:
                    pld.system.notify(turns, peer, [step - 1, me], 1, op=pld.NotifyOp.AtomicAdd)
            for src in pl.range(nranks):
                if src != me:
                    pld.system.wait(turns, [step - 1, src], 1, cmp=pld.WaitCmp.Ge)
            begin = (me + 2 * nranks - step - 1) % nranks * pieces * 16
            for piece in pl.range(pieces):
                recv = pld.tile.remote_load(win, left, [0, begin + piece * 16], [1, 16])
                own = pl.load(win, [0, begin + piece * 16], [1, 16])
                pl.store(pl.add(recv, own), [0, begin + piece * 16], win)
        for step in pl.range(1, nranks):
            for peer in pl.range(nranks):
                if peer != me:
                    pld.system.notify(turns, peer, [nranks - 2 + step, me], 1, op=pld.NotifyOp.AtomicAdd)
            for src in pl.range(nranks):
                if src != me:
                    pld.system.wait(turns, [nranks - 2 + step, src], 1, cmp=pld.WaitCmp.Ge)
            begin = (me + nranks - step) % nranks * pieces * 16
            for piece in pl.range(pieces):
                done = pld.tile.remote_load(win, left, [0, begin + piece * 16], [1, 16])
                pl.store(done, [0, begin + piece * 16], win)
        for peer in pl.range(nranks):
            if peer != me:
                pld.system.notify(turns, peer, [2 * nranks - 2, me], 1, op=pld.NotifyOp.AtomicAdd)
        for src in pl.range(nranks):
            if src != me:
                pld.system.wait(turns, [2 * nranks - 2, src], 1, cmp=pld.WaitCmp.Ge)
        for row in pl.range(2 * nranks - 1):
            for src in pl.range(nranks):
                if src != me:
                    pld.system.notify(turns, me, [row, src], -1, op=pld.NotifyOp.AtomicAdd)
        total = pl.load(win, [0, 0], [1, 128])
        out = pl.store(total, [0, 0], out)

    @pl.function(type=pl.FunctionType.InCore)
    def stage(
        self,
        x: pl.Tensor[[1, 128], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[1, 128], pl.FP32]],
    ):
        mine = pl.mul(pl.load(x, [0, 0], [1, 128]), 0.1)
        pl.store(mine, [0, 0], win)

    @pl.function(type=pl.FunctionType.InCore)
    def copy(
        self,
        win: pl.InOut[pld.DistributedTensor[[1, 128], pl.FP32]],
        out: pl.Out[pl.Tensor[[1, 128], pl.FP32]],
    ):
        total = pl.load(win, [0, 0], [1, 128])
        out = pl.store(total, [0, 0], out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def whole(
        self,
        x: pl.Tensor[[1, 128], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[1, 128], pl.FP32]],
        sig: pl.InOut[pld.DistributedTensor[[2 * (NR - 1), NR], pl.INT32]],
        turns: pl.InOut[pld.DistributedTensor[[2 * NR - 1, NR], pl.INT32]],
        out: pl.Out[pl.Tensor[[1, 128], pl.FP32]],
    ):
        if HOW == 0:
            self.call(x, win, sig, turns, out)
        else:
            self.protocol(x, win, sig, turns, out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def publish(
        self,
        x: pl.Tensor[[1, 128], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[1, 128], pl.FP32]],
    ):
        self.stage(x, win)

    @pl.function(type=pl.FunctionType.Orchestration)
    def consume(
        self,
        win: pl.InOut[pld.DistributedTensor[[1, 128], pl.FP32]],
        out: pl.Out[pl.Tensor[[1, 128], pl.FP32]],
    ):
        self.copy(win, out)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(self, x: pl.Tensor[[NR, 1, 128], pl.FP32], out: pl.Out[pl.Tensor[[NR, 1, 128], pl.FP32]]):
        ws = pld.system.world_size()
        data = pld.tensor.alloc_window_buffer(512)
        rounds = pld.tensor.alloc_window_buffer((2 * ws - 1) * ws * 4)
        win = pld.tensor.window(data, [1, 128], dtype=pl.FP32)
        turns = pld.tensor.window(rounds, [2 * ws - 1, ws], dtype=pl.INT32)
        if HOW == 2:
            for r in pl.range(ws):
                self.publish(x[r], win, device=r)
            total = pld.tensor.allreduce(win, turns, op=pld.ReduceOp.Sum, mode="ring")
            for r in pl.range(ws):
                self.consume(total, out[r], device=r)
        else:
            cells = pld.tensor.alloc_window_buffer(2 * (ws - 1) * ws * 4)
            sig = pld.tensor.window(cells, [2 * (ws - 1), ws], dtype=pl.INT32)
            for r in pl.range(ws):
                self.whole(x[r], win, sig, turns, out[r], device=r)
