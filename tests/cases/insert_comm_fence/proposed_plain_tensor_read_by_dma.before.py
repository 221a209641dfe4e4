# test: frame=insert_comm_fence rules=proposed
# plain tensor read by dma
pl.tile.store(tile, [0, 0], plain)
pl.tile.load(plain, [0, 0], [1, 64], [1, 64])
