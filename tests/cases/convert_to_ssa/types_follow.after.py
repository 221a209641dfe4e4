m__ssa_v0: pl.Scalar[pl.INDEX] = i__ssa_v0
t__ssa_v0: pl.Tensor[[m__ssa_v0, 8], pl.FP32] = pl.test.use(m__ssa_v0)
m__ssa_v0_1: pl.Scalar[pl.INDEX] = i__ssa_v0 + 1
u__ssa_v0: pl.Tensor[[m__ssa_v0_1, 8], pl.FP32] = pl.test.use(m__ssa_v0_1, t__ssa_v0)
