# test: passes=ConvertToSSA,OutlineIncoreScopes
# 'a' is only stored into: Out. 'b' is read as well, behind its store and so under the store's name: InOut. 'c' is added
# to, which reads it: InOut. 'd' is assembled into: Out, and what that gives is the parameter. 'x' is read: In.
import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(
        self,
        x: pl.Tensor[[64], pl.FP32],
        a: pl.Out[pl.Tensor[[64], pl.FP32]],
        b: pl.Out[pl.Tensor[[64], pl.FP32]],
        c: pl.Out[pl.Tensor[[64], pl.FP32]],
        d: pl.Out[pl.Tensor[[64], pl.FP32]],
    ) -> pl.Tensor[[64], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            t = pl.load(x, [0], [32])
            a = pl.store(t, [0], a)
            b = pl.store(t, [0], b)
            u = pl.load(b, [32], [32])
            c = pl.store(u, [0], c, atomic=pl.AtomicType.Add)
            s = pl.slice(x, [32], [0])
            d = pl.assemble(d, s, [0])
        return d
