c: pl.Scalar[pl.INDEX] = 3
self.callee(n, attrs={"hint": c})
