# test: frame=bare_kernel
# what only dumps and printed programs spell (pypto-facts 1.4, 1.6)
# what nothing defines
y: pl.Scalar[pl.INT32] = n + y__FREE_VAR
