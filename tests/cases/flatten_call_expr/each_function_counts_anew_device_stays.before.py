# functions
# each function counts anew; device= stays
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, x: pl.Tensor[[1, 4], pl.FP32]):
        n: pl.Scalar[pl.INDEX] = pl.cast(pl.tensor.read(x, [0, 0]), pl.INDEX)
        return
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self, x: pl.Tensor[[2, 1, 4], pl.FP32]):
        for r in pl.range(pld.system.world_size()):
            self.chip(pl.tensor.slice(x, [1, 1, 4], [r, 0, 0], [], [0]), device=pl.cast(pld.system.world_size(), pl.INDEX) - r)
        return
