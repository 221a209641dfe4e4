# test: frame=kernel auto_sync=yes rows=1
# what views and parts hold
# assemble at a place that the run gives
t = pl.load(x, [0, 0], [4, 16])
u = pl.tile.slice(t, [1, 2], [1, 0])
w = pl.tile.full([1, 4], dtype=pl.INT32, value=9)
v = pl.tile.assemble(w, u, [0, n - 2])
pl.store(v, [0, 0], out)
