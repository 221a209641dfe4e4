# test: frame=kernel auto_sync=yes rows=1
# what views and parts hold
# a view keeps what it was of, when the name gets another tile
t = pl.load(x, [0, 0], [4, 16])
u = pl.tile.slice(t, [1, 4], [1, 0])
t = pl.load(x, [0, 0], [4, 16])
t = pl.tile.adds(t, 100)
pl.store(u, [0, 0], out)
