# test: ranks=2
# The orchestrator of a chip is compiled C++, where (0 - 1) % 2 is -1 and (0 - 3) // 2 is -1; of Python they would be 1 and -2.
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, o: pl.Out[pl.Tensor[[4, 8], pl.FP32]], left: pl.Scalar[pl.INDEX], half: pl.Scalar[pl.INDEX]) -> pl.Tensor[[4, 8], pl.FP32]:
        return o

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, o: pl.Out[pl.Tensor[[4, 8], pl.FP32]], rank: pl.Scalar[pl.INDEX]) -> pl.Tensor[[4, 8], pl.FP32]:
        o = self.k(o, (rank - 1) % 2, (rank - 3) // 2)
        return o
