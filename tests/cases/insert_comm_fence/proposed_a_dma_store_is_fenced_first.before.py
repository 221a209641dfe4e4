# test: frame=insert_comm_fence rules=proposed
# a dma store is fenced first
pl.tile.store(tile, [0, 0], win_a)
