# functions that are called through a table take the file's tensors of the same names
@pl.jit
def entry(a: pl.Tensor, n: pl.INT32, out: pl.Out[pl.Tensor]):
    return out


MODES = {"entry": entry}
a = torch.full((2, 3), 1.0)
out = torch.empty((2, 3), dtype=torch.int32)
MODES["entry"](a, 1, out)
