# test: frame=kernel
# TGET in chunks
s = pl.tile.create([1, 8], dtype=pl.INT32, target_memory=pl.Mem.Vec)
pld.tile.get(out, 4 - n, win, s, [0, 0], [1, 0], [1, 16])
