# test: frame=insert_comm_fence rules=proposed
# plain tensor read as the result of a store
w = pl.tile.store(tile, [0, 0], plain)
pl.tensor.read(w, [0, 0])
