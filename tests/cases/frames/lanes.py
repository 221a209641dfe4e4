# Functions of one lane, of the cube and of vectors; k is of neither.
import pypto.language as pl
@pl.program
class T:
    @pl.function(type=pl.FunctionType.AIC)
    def cube(self, x: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):
        return
    @pl.function(type=pl.FunctionType.AIV)
    def vec(self, y: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):
        return
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):
        return
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(self, x: pl.InOut[pl.Tensor[[1, 16], pl.INT32]], y: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):
        self.chip(x, y, device=0)
