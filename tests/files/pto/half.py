# A scalar that no directive can say.
# fencebench: ranks 1
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[1, 16], pl.FP32], o: pl.Out[pl.Tensor[[1, 16], pl.FP32]], f: pl.Scalar[pl.FP32]):
        t = pl.load(x, [0, 0], [1, 16])
        u = pl.mul(t, f)
        o = pl.store(u, [0, 0], o)

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, x: pl.Tensor[[1, 16], pl.FP32], o: pl.Out[pl.Tensor[[1, 16], pl.FP32]]):
        self.k(x, o, 0.5)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(self, x: pl.Tensor[[1, 16], pl.FP32], o: pl.Out[pl.Tensor[[1, 16], pl.FP32]]):
        self.chip(x, o, device=0)
