# test: frame=kernel memory=win@1
s = pl.tile.create([1, 8], dtype=pl.INT32, target_memory=pl.Mem.Vec)
pld.tile.put(win, 4 - n, x, s, [0, 0], [0, 0], [1, n - 1], atomic=0)
