# test: frame=simplify
# what nothing uses
# but no calls, tiles, tensors or contexts
c: pl.Scalar[pl.INT32] = self.callee(n)
d: pl.Scalar[pl.FP32] = pl.tensor.read(out, [0, 0])
e: pl.Scalar[pl.INT32] = pld.system.rank(sig_ctx)
y: pl.Tensor[[4, 64], pl.FP32] = out
z: pld.CommCtx = sig_ctx
t: pl.Tile[[1, 64], pl.FP32] = pl.tile.load(x, [0, 0], [1, 64], [1, 64])
