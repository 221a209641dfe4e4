for i, (w,) in pl.range(4, init_values=(plain,)):
    x: pl.Tensor[[1, 64], pl.FP32] = pl.tile.store(tile, [0, 0], w)
    pl.system.fence()
    pl.system.cacheinvalid(w, [1, 64], [0, 0])
    r: pl.Tensor[[1, 64], pl.FP32] = pl.yield_(x)
pl.tensor.read(r, [0, 0])
