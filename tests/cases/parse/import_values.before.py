# values of other files: beside this one by dots, under their own name or another, or as members of the module; a file
# that is not there leaves its names unknown (docs/language.md)
import pypto.language as pl
import torch
from nowhere import GONE
from ..frames import values
from ..frames.values import (
    ROWS,
    DTYPE as D,
    DIM,
    UNKNOWN,
)


@pl.function
def f(x: pl.Tensor[[ROWS * 2, DIM], D], y: pl.Tensor[[values.ROWS], pl.FP32]):
    t = pl.load(y, [values.ROWS - 8], [ROWS // 2])
