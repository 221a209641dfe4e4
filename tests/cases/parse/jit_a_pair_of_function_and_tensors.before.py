# a table of functions with what they are called with
@pl.jit
def entry(x: pl.Tensor, y: pl.Tensor):
    return x, y


CASES = [("entry", entry, (torch.ones(4), torch.rand(2, 2, dtype=torch.bfloat16)))]
