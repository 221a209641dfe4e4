# test: passes=ConvertToSSA,OutlineIncoreScopes
# Values that are used behind the scope are returned in the order of the text; one that is not used stays inside.
import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(self, x: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            y = pl.add(x, x)
            unused = pl.add(y, y)
            z = pl.mul(unused, y)
        with pl.at(level=pl.Level.CORE_GROUP):
            w = pl.sub(z, y)
        return w
