# a.shape and a.dtype are what they are of the parameter; names for constant extents are the numbers, and a dynamic
# extent is read (pypto-front-facts 1.2)
@pl.jit
def entry(a: pl.Tensor[[8, 64], pl.FP16], b: pl.Tensor[[8, 64], pl.FP32]):
    M = pl.dynamic("M")
    b.bind_dynamic(0, M)
    K = a.shape[-1]
    R, C = b.shape
    t = pl.create_tensor([K, C], dtype=a.dtype)
    u = pl.create_tensor(a.shape, dtype=pl.FP32)
    n = b.shape[0] * 2
    return a
