# SPDX-License-Identifier: MIT
"""What a rank does by itself."""
import pypto.language as pl

from layout import SIZE
from . import remote

STEP = 1


@pl.jit.incore
def move(x: pl.Tensor[[1, SIZE], pl.INT32], y: pl.Out[pl.Tensor[[1, SIZE], pl.INT32]]):
    y = pl.store(pl.load(x, [0, remote.FIRST], [1, SIZE]), [0, 0], y)
    return y
