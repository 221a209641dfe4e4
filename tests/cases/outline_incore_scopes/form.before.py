# 'y' comes from outside and gets another value inside: without ConvertToSSA one name would be two variables.
import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(self, x: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
        y = pl.add(x, x)
        with pl.at(level=pl.Level.CORE_GROUP):
            y = pl.add(y, x)
        return y
