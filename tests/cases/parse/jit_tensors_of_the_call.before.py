# test: program=add
# a bare pl.Tensor has the shape and element type of what the file's Python passes (pypto-front-facts 1.2)
import pypto.language as pl
import torch

ROWS = 16


@pl.jit.incore
def kernel(a: pl.Tensor, b: pl.Tensor, c: pl.Out[pl.Tensor]):
    tile = pl.load(a, [0, 0], [16, 64])
    out_c = pl.store(tile, [0, 0], c)
    return out_c


@pl.jit
def add(a: pl.Tensor, b: pl.Tensor, c: pl.Out[pl.Tensor]):
    c = kernel(a, b, c)
    return c


def main():
    a = torch.randn(ROWS, 64, dtype=torch.float16)
    c = torch.zeros_like(a)
    add(a, torch.tensor([1, 2, 3]), c.clone(), config=None)
