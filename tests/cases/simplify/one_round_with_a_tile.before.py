# test: frame=simplify
# loops
# one round, with a tile
t: pl.Tile[[1, 64], pl.FP32] = pl.test.unheard_of(i)
for j, (a,) in pl.range(1, init_values=(t,)):
    s: pl.Tile[[1, 64], pl.FP32] = pl.tile.add(a, a)
    y: pl.Tile[[1, 64], pl.FP32] = pl.yield_(s)
pl.test.use(y)
