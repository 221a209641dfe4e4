# a member that is set to what is not known is not known, whatever its file says
import pypto.language as pl
from ..frames import values

values.ROWS = measured()
from ..frames.values import ROWS


@pl.function
def f(x: pl.Tensor[[ROWS], pl.FP32]):
    pass
