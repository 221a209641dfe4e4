# The kernel gets a parameter for it, and its caller makes the tensor (pypto-front-facts 3.4).
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[8, 16], pl.FP32], y: pl.Tensor[[8, 16], pl.FP32]) -> tuple[pl.Tensor[[8, 16], pl.FP32], pl.Tensor[[8, 1], pl.FP32]]:
        s = pl.add(x, y)
        m = pl.row_sum(s)
        return s, m

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[8, 16], pl.FP32], y: pl.Tensor[[8, 16], pl.FP32]) -> pl.Tensor[[8, 1], pl.FP32]:
        s, m = self.k(x, y)
        t, n = self.k(s, y)
        return n
