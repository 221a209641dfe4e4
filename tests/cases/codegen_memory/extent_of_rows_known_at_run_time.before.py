# test: frame=kernel memory=win@1
# through a stage of one row
s = pl.tile.create([1, 16], dtype=pl.INT32, target_memory=pl.Mem.Vec)
pld.tile.put(win, 4 - n, x, s, [0, 0], [0, 0], [5 - n, 8], atomic=0)
