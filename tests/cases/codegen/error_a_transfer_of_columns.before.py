# a transfer of columns
import pypto.language as pl
@pl.program
class T:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[4, 2], pl.INT32, pl.TensorView(layout=pl.TensorLayout.DN)]):
        t = pl.load(x, [0, 0], [4, 2])
