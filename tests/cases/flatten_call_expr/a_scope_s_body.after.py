with pl.scope(mode=pl.ScopeMode.MANUAL):
    t__tmp_v0: pl.Scalar[pl.INT32] = pl.tensor.read(x, [2])
    pl.tensor.write(x, [0], t__tmp_v0)
