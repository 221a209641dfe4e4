# parameters in types attributes and the result follow
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, n: pl.Scalar[pl.INDEX], x: pl.Tensor[[n, 16], pl.FP32]) -> pl.Tensor[[n, 16], pl.FP32]:
        return x
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self, x: pl.Tensor[[8, 16], pl.FP32]):
        for r in pl.range(2):
            y = self.chip(8, x, device=r)
            pl.test.use(y)
