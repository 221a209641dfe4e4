# A Group is launched once.
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def copy(x: pl.Tensor[[64], pl.FP32], o: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        i = pl.tile.get_block_idx()
        t = pl.load(x, [i * 16], [16])
        o_1 = pl.store(t, [i * 16], o)
        return o_1

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[64], pl.FP32], o: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        with pl.cluster():
            with pl.spmd(2):
                o_1 = self.copy(x, o)
            with pl.spmd(2):
                o_2 = self.copy(x, o_1)
        return o_2
