# Left alone: kernels and the functions of what runs at once.
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(x: pl.Tensor[[64], pl.FP32], o: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        for i in pl.spmd(4):
            t = pl.load(x, [i * 16], [16])
            o_1 = pl.store(t, [i * 16], o)
        return o_1

    @pl.function(type=pl.FunctionType.Spmd)
    def blocks(self, x: pl.Tensor[[64], pl.FP32], o: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        o_1 = self.kernel(x, o)
        return o_1
