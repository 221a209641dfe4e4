# test: frame=kernel put_pre_barrier=none
# what a key of the toolchain changes
# put: none before
s = pl.tile.create([1, 16], dtype=pl.INT32, target_memory=pl.Mem.Vec)
pld.tile.put(win, 4 - n, x, s, [0, 0], [0, 0], [1, 16], atomic=0)
