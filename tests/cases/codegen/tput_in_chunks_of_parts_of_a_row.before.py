# test: frame=kernel
# TPUT in chunks of parts of a row
s = pl.tile.create([1, 8], dtype=pl.INT32, target_memory=pl.Mem.Vec)
pld.tile.put(win, 4 - n, x, s, [3, 0], [0, 0], [1, 16], atomic=0)
