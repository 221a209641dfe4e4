# test: ranks=2 cores=2
# Outside of a manual scope a window that tasks share orders them as well: one chain, one core (pypto-facts 4.3).
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class T:
    @pl.function(type=pl.FunctionType.InCore, attrs={"deferred_completion_waiter": True})
    def wait(self, w: pl.InOut[pld.DistributedTensor[[1, 8], pl.INT32]]):
        pld.system.defer_wait(w, [0, 0], 1, cmp=1)
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, w: pl.InOut[pld.DistributedTensor[[1, 8], pl.INT32]]):
        return
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, w: pl.InOut[pld.DistributedTensor[[1, 8], pl.INT32]]):
        if 1 == 1:
            a = pl.submit(self.wait, w)
            b = pl.submit(self.wait, w)
            c = pl.submit(self.k, w, deps=[a])
            d = pl.submit(self.k, w, deps=[a])
            e = pl.submit(self.k, w, deps=[b, d])
            f = pl.spmd_submit(self.k, w, core_num=2, deps=[c])
            g = pl.submit(self.k, w)
        self.k(w)
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(self):
        buf = pld.alloc_window_buffer(32)
        for r in pl.range(1):
            self.chip(pld.window(buf, [1, 8], dtype=pl.INT32), device=r)
