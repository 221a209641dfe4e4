# pypto.program: CommDomains
# Two domains that overlap in device 1, an empty scope, recorded calls, and a renamed allocation.
import pypto.language as pl
import pypto.language.distributed as pld

@pl.program
class CommDomains:
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip_orch(self, w: pl.InOut[pld.DistributedTensor[[64], pl.FP32]]):
        pass

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host_orch(self, x: pl.Tensor[[3, 64], pl.FP32]):
        with pl._dump.comm_domain(name='comm_d0', devices=[0, 1], slots=[pl._dump.window_buffer("left_window", base="left", size=256, load_from_host=False, store_to_host=False)], attrs={"ring": -1, "depth": pl.const(-1, pl.INDEX)}):
            with pl._dump.comm_domain(name='comm_d1', devices=[1, 2], slots=[pl._dump.window_buffer("right_1_window", base="right_1", size=pl.const(256, pl.INT64), load_from_host=True, store_to_host=True)]):
                left: pl.Ptr = pld.tensor.alloc_window_buffer(256)
                right_1: pl.Ptr = pl._dump.alloc_window_buffer(pl.const(256, pl.INT64), name='right')
                a: pld.DistributedTensor[[64], pl.FP32, pl._dump.window_ref("left_window")] = pl._dump.call('pld.tensor.window', [left, [64]], pld.DistributedTensor[[64], pl.FP32, pl._dump.window_ref("left_window")], kwargs={"dtype": pl.FP32})
                b: pld.DistributedTensor[[64], pl.FP32, pl._dump.window_ref("right_1_window")] = pl._dump.call('pld.tensor.window', [right_1, [64]], pld.DistributedTensor[[64], pl.FP32], kwargs={"dtype": pl.FP32})
                for r in pl.range(2):
                    self.chip_orch(a, device=r)
                self.chip_orch(b, device=1)
                self.chip_orch(pl._dump.call('tensor.view', [b, [8, 8]], pld.DistributedTensor[[64], pl.FP32, pl._dump.window_ref("left_window")]), device=2)
        with pl._dump.comm_domain(name='comm_d2', devices=[0], slots=[pl._dump.window_buffer("left_window_1", size=0, load_from_host=False, store_to_host=False)]):
            pass
