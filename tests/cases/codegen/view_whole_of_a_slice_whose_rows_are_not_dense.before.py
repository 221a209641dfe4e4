# test: frame=kernel
# whole of a slice whose rows are not dense
s = pl.tile.create([1, 8], dtype=pl.INT32, target_memory=pl.Mem.Vec)
v = pl.tensor.slice(x, [2, 8], [0, 8])
pld.tile.put(half, 4 - n, v, s, atomic=0)
