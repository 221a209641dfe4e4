# test: frame=kernel
# TGET has no invalidate of its own
s = pl.tile.create([1, 16], dtype=pl.INT32, target_memory=pl.Mem.Vec)
pld.tile.get(out, 4 - n, win, s, [1, 0], [2, 0], [1, 16])
