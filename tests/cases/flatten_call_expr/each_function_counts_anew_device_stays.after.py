import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, x: pl.Tensor[[1, 4], pl.FP32]):
        t__tmp_v0: pl.Scalar[pl.FP32] = pl.tensor.read(x, [0, 0])
        n: pl.Scalar[pl.INDEX] = pl.cast(t__tmp_v0, pl.INDEX)
        return
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self, x: pl.Tensor[[2, 1, 4], pl.FP32]):
        t__tmp_v0: pl.Scalar[pl.INT64] = pld.system.world_size()
        for r in pl.range(t__tmp_v0):
            t__tmp_v1: pl.Tensor[[1, 4], pl.FP32] = pl.tensor.slice(x, [1, 1, 4], [r, 0, 0], [], [0])
            self.chip(t__tmp_v1, device=pl.cast(pld.system.world_size(), pl.INDEX) - r)
        return
