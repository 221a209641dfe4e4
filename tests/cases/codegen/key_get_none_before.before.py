# test: frame=kernel get_pre_barrier=none
# what a key of the toolchain changes
# get: none before
s = pl.tile.create([1, 16], dtype=pl.INT32, target_memory=pl.Mem.Vec)
pld.tile.get(out, 4 - n, win, s, [0, 0], [0, 0], [1, 16])
