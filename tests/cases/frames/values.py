"""What cases of imports take from another file."""
import pypto.language as pl
from .values import ROWS  # of itself: what is bound so far, which is nothing

ROWS = 4 * 2
DTYPE = pl.FP16
DIM = pl.dynamic("DIM")
UNKNOWN = compute(ROWS)


def helper(x):
    return x
