# SPDX-License-Identifier: MIT
# fencebench: ranks 2
import pypto.language as pl
import pypto.language.distributed as pld

WAITS = 3
EXPECTED = 1
VALUE = 1


@pl.program
class Deferred:
    """Each rank submits tasks that complete when the peer has notified, then what notifies the peer.

    The waiters give their cores back, and readers start behind them, so one core a rank is enough.
    With EXPECTED=2 nobody notifies enough, with VALUE=-1 the runtime, which counts without a sign,
    takes the count for a great one.
    """

    @pl.function(type=pl.FunctionType.InCore, attrs={"deferred_completion_waiter": True})
    def waiter(self, sig: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]]):
        pld.system.defer_wait(sig, [0, 0], EXPECTED, cmp=pld.WaitCmp.Ge)

    @pl.function(type=pl.FunctionType.InCore)
    def reader(
        self,
        data: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
        out: pl.Out[pl.Tensor[[WAITS, 16], pl.INT32]],
        slot: pl.Scalar[pl.INDEX],
    ):
        row = pl.load(data, [0, 0], [1, 16])
        out = pl.store(row, [slot, 0], out)

    @pl.function(type=pl.FunctionType.InCore)
    def publish(
        self,
        src: pl.Tensor[[1, 16], pl.INT32],
        data: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],
        peer: pl.Scalar[pl.INT32],
    ):
        row = pl.load(src, [0, 0], [1, 16])
        pld.tile.remote_store(row, target=data, peer=peer, offsets=[0, 0])
        pld.system.notify(
            target=sig, peer=peer, offsets=[0, 0], value=VALUE, op=pld.NotifyOp.Set
        )

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(
        self,
        src: pl.Tensor[[1, 16], pl.INT32],
        out: pl.Out[pl.Tensor[[WAITS, 16], pl.INT32]],
        data: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],
        sig: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],
        peer: pl.Scalar[pl.INT32],
    ):
        with pl.manual_scope():
            for slot in pl.range(WAITS):
                come = pl.submit(self.waiter, sig)
                read = pl.submit(self.reader, data, out, slot, deps=[come])
            self.publish(src, data, sig, peer)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(
        self,
        src: pl.Tensor[[1, 16], pl.INT32],
        out: pl.Out[pl.Tensor[[WAITS, 16], pl.INT32]],
    ):
        data_buf = pld.alloc_window_buffer(16 * 4)
        sig_buf = pld.alloc_window_buffer(4)
        for r in pl.range(pld.world_size()):
            data = pld.window(data_buf, [1, 16], dtype=pl.INT32)
            sig = pld.window(sig_buf, [1, 1], dtype=pl.INT32)
            self.chip(src, out, data, sig, (r + 1) % pld.world_size(), device=r)
