for j in pl.spmd(n, sync_start=True):
    y: pl.Scalar[pl.INDEX] = j
