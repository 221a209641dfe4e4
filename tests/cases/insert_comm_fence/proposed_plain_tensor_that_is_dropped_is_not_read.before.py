# test: frame=insert_comm_fence rules=proposed
# plain tensor that is dropped is not read
pl.tile.store(tile, [0, 0], plain)
pl.system.cacheinvalid(plain, [1, 64], [0, 0])
