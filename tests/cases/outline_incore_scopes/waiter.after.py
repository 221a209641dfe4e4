import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def arrived(n__ssa_v0: pl.Scalar[pl.INT32], sig__ssa_v0: pld.DistributedTensor[[4, 1], pl.INT32]):
        pl.func_attr({"deferred_completion_waiter": True})
        least__ssa_v0: pl.Scalar[pl.INDEX] = pl.cast(n__ssa_v0, pl.INDEX) + 1
        pld.system.defer_wait(sig__ssa_v0, [0, 0], least__ssa_v0, cmp=1)
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, sig__ssa_v0: pld.DistributedTensor[[4, 1], pl.INT32], n__ssa_v0: pl.Scalar[pl.INT32]):
        self.arrived(n__ssa_v0, sig__ssa_v0)
