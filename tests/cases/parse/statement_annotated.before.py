# test: frame=bare_kernel
# annotated
y: pl.Scalar[pl.INT32] = n
