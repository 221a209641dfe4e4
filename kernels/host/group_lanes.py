# SPDX-License-Identifier: MIT
# fencebench: ranks 1
import pypto.language as pl
import pypto.language.distributed as pld

SIGNAL = 0


@pl.program
class GroupLanes:
    """The two lanes of a Group: the cube makes a product, the vector core adds to it.

    Both run at once. That the Group's text calls the cube first orders nothing. With SIGNAL=1 the cube
    notifies and the vector core waits; the fence that the pass puts between store and notify is three
    barriers and a dsb on a cube core, none of which holds the notify back. With SIGNAL=2 a barrier
    of all pipes and a fence behind it do.
    """

    @pl.function(type=pl.FunctionType.AIC)
    def cube(
        self,
        x: pl.Tensor[[16, 16], pl.FP32],
        mid: pl.InOut[pld.DistributedTensor[[16, 16], pl.FP32]],
        sig: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],
    ):
        mat = pl.load(x, [0, 0], [16, 16], target_memory=pl.Mem.Mat)
        left = pl.tile.move(mat, target_memory=pl.Mem.Left)
        right = pl.tile.move(mat, target_memory=pl.Mem.Right)
        product: pl.Tile[[16, 16], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(left, right)
        mid = pl.store(product, [0, 0], mid)
        if SIGNAL > 0:
            if SIGNAL == 2:
                pl.system.bar_all()
                pl.system.fence()
            me = pld.system.rank(pld.system.get_comm_ctx(sig))
            pld.system.notify(sig, me, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)

    @pl.function(type=pl.FunctionType.AIV)
    def vector(
        self,
        mid: pl.InOut[pld.DistributedTensor[[16, 16], pl.FP32]],
        sig: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[16, 16], pl.FP32]],
    ):
        if SIGNAL > 0:
            pld.system.wait(sig, [0, 0], 1, cmp=pld.WaitCmp.Ge)
        part = pl.load(mid, [0, 0], [16, 16])
        double = pl.add(part, part)
        out = pl.store(double, [0, 0], out)

    @pl.function(type=pl.FunctionType.Group)
    def both(
        self,
        x: pl.Tensor[[16, 16], pl.FP32],
        mid: pl.InOut[pld.DistributedTensor[[16, 16], pl.FP32]],
        sig: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[16, 16], pl.FP32]],
    ):
        self.cube(x, mid, sig)
        self.vector(mid, sig, out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(
        self,
        x: pl.Tensor[[16, 16], pl.FP32],
        mid: pl.InOut[pld.DistributedTensor[[16, 16], pl.FP32]],
        sig: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],
        out: pl.Out[pl.Tensor[[16, 16], pl.FP32]],
    ):
        self.both(x, mid, sig, out)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(self, x: pl.Tensor[[16, 16], pl.FP32], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]):
        data = pld.tensor.alloc_window_buffer(1024)
        cells = pld.tensor.alloc_window_buffer(64)
        for r in pl.range(pld.system.world_size()):
            mid = pld.tensor.window(data, [16, 16], dtype=pl.FP32)
            sig = pld.tensor.window(cells, [1, 1], dtype=pl.INT32)
            self.chip(x, mid, sig, out, device=r)
