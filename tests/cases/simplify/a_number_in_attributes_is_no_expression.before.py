# test: frame=simplify
# scalars that are assigned once, to a constant
# a number in attributes is no expression
c: pl.Scalar[pl.INDEX] = 3
self.callee(n, attrs={"hint": c})
