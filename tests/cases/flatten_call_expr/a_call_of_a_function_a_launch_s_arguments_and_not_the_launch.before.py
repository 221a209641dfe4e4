# functions
# a call of a function, a launch's arguments and not the launch
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[1, 4], pl.FP32]) -> pl.Tensor[[1, 4], pl.FP32]:
        return x
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, x: pl.Tensor[[1, 4], pl.FP32]):
        self.k(self.k(x))
        y, t = pl.submit(self.k, self.k(x))
        return
