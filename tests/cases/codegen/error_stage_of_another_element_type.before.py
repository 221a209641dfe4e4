# test: frame=kernel
# stage of another element type
s = pl.tile.create([1, 16], dtype=pl.FP32)
pld.tile.put(win, 1, x, s, [0, 0], [0, 0], [1, 16], atomic=0)
