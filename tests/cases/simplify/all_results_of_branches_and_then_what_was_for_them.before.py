# test: frame=simplify
# what nothing uses
# all results of branches, and then what was for them
if b:
    c: pl.Scalar[pl.INT32] = n * 2
    y: pl.Scalar[pl.INT32] = pl.yield_(c)
else:
    y: pl.Scalar[pl.INT32] = pl.yield_(n)
