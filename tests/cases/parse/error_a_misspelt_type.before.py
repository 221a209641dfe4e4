# A type with brackets that is nearly pl.Tensor: the misspelt one, not a type that the language does not know.
import pypto.language as pl


@pl.program
class P:
    @pl.function
    def f(self, x: pl.Tnsor[[16, 64], pl.FP32]):
        return x
