# a size in a parameter's type may come later
import pypto.language as pl
import pypto.language.distributed as pld
@pl.function
def k(x: pl.Tensor[[rows, 4], pl.FP32], rows: pl.Scalar[pl.INDEX]):
    y: pl.Scalar[pl.INDEX] = rows
