# test: passes=ConvertToSSA,OutlineIncoreScopes
# Two tensors that the scope stores into, once without a name for what the store gives: both are returned, the last
# one first, in one tuple. A second scope takes them under the names that the first call gave.
import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(
        self,
        x: pl.Tensor[[64], pl.FP32],
        a: pl.Out[pl.Tensor[[64], pl.FP32]],
        b: pl.Out[pl.Tensor[[64], pl.FP32]],
    ) -> pl.Tensor[[64], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            t = pl.load(x, [0], [64])
            a = pl.store(t, [0], a)
            pl.store(t, [0], b)
        with pl.at(level=pl.Level.CORE_GROUP):
            u = pl.load(a, [0], [64])
            v = pl.load(b, [0], [64])
            s = pl.add(u, v)
            b = pl.store(s, [0], b)
        return b
