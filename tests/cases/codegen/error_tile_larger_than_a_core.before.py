# test: frame=kernel
# tile larger than a core
t = pl.tile.create([8192, 4096], dtype=pl.INT32)
