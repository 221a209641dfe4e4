# test: frame=kernel
# TPUT in chunks of rows, adding
s = pl.tile.create([1, 16], dtype=pl.INT32, target_memory=pl.Mem.Vec)
pld.tile.put(win, 4 - n, x, s, [0, 0], [1, 0], [2, 16], atomic=pld.AtomicType.Add)
