# test: frame=insert_comm_fence rules=proposed
# plain tensor that nothing reads
pl.tile.store(tile, [0, 0], out)
