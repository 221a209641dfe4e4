# test: frame=insert_comm_fence rules=proposed
# view of a plain tensor that is read
v = pl.tensor.view(plain, [1, 64])
pl.tile.store(tile, [0, 0], v)
pl.tensor.read(plain, [0, 0])
