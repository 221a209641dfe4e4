# too few strides
import pypto.language as pl
@pl.program
class T:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[4, 2], pl.INT32, pl.TensorView(stride=[8], layout=pl.TensorLayout.ND)]):
        return
