# test: frame=kernel
# tile larger than any number
t = pl.tile.create([1048576, 17592186044416], dtype=pl.INT32)
