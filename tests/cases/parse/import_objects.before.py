# objects of plain classes: members by name, defaults, and properties that only return (docs/language.md)
from ..frames.values import LARGE, SMALL as S

HALF = LARGE.cols // 2


@pl.function
def f(x: pl.Tensor[[S.rows, S.cols], pl.FP32], y: pl.Tensor[[LARGE.cells], pl.FP32]):
    t = pl.load(x, [0, 0], [S.rows, HALF])
    u = pl.mul(t, S.scale)
