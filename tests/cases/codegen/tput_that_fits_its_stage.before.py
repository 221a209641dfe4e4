# test: frame=kernel
# TPUT that fits its stage
s = pl.tile.create([1, 16], dtype=pl.INT32, target_memory=pl.Mem.Vec)
pld.tile.put(win, 4 - n, x, s, [1, 0], [2, 0], [1, 16], atomic=pld.AtomicType.None_)
