# test: frame=simplify
# branches
# an empty one stays
if b:
    c: pl.Scalar[pl.INDEX] = 1
if self.callee(n) < 0:
    pass
