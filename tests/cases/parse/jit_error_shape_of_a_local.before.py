# only parameters have it
@pl.jit
def entry(a: pl.Tensor[[4], pl.FP16]):
    b = pl.create_tensor([4], dtype=pl.FP16)
    n = b.shape[0]
