# test: frame=kernel
# tiles in their memory spaces (pypto-ops-facts 1.4, 2)
# consecutive integers come from the scalar unit
t = pl.tile.ci(7, [1, 8], dtype=pl.INT32)
u = pl.add(t, t)
