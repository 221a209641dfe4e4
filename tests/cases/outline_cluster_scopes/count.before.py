# The number of blocks is needed where the Group is launched, and the Group computes it.
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
    def main(self, n: pl.Scalar[pl.INDEX], x: pl.Tensor[[64], pl.FP32], o: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        with pl.cluster():
            m = n + 1
            with pl.spmd(m):
                o_1 = self.copy(x, o)
        return o_1
