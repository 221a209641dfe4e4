def f(n: pl.Scalar[pl.INDEX]):
    "one""two"
    y = 1 + 1
    "three"
    pl.m(n)
