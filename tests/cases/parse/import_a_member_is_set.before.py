# values.ROWS is 8 where its file says so; once this file has set it, its name there means 12, but not what was made of it
# before: HALF stands for 4. A member that is set to what is not known is not known.
import sys

import pypto.language as pl
from ..frames import values

HALF = values.ROWS // 2
values.ROWS = 12
from ..frames.values import ROWS


@pl.function
def f(x: pl.Tensor[[ROWS, values.ROWS], pl.FP32], y: pl.Tensor[[HALF], pl.FP32]):
    pass
