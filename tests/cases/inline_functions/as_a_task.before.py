# pypto-front-facts 3.1: as a task
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.Inline)
    def g(self, x: pl.Tensor[[1, 8], pl.FP32]) -> pl.Tensor[[1, 8], pl.FP32]:
        return x
    @pl.function(type=pl.FunctionType.Orchestration)
    def f(self, x: pl.Tensor[[1, 8], pl.FP32]):
        y, t = pl.submit(self.g, x)
        return
