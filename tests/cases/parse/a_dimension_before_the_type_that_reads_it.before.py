# a parameter that is a dimension of the module stands before the types that read it; one of another type, or of another
# name, is none of them
import pypto.language as pl
ROWS = pl.dynamic("ROWS")
COLS = pl.dynamic("COLS")
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, ROWS: pl.Scalar[pl.INDEX], a: pl.Tensor[[64, 64], pl.FP32, pl.TensorView(valid_shape=[64, ROWS], layout=pl.TensorLayout.ND)]):
        t = pl.load(a, [0, 0], [64, 64])
    @pl.function(type=pl.FunctionType.InCore)
    def l(self, a: pl.Tensor[[64, COLS], pl.FP32], n: pl.Scalar[pl.INDEX]):
        t = pl.load(a, [0, 0], [64, 64])
