# test: frame=insert_comm_fence rules=proposed
# markers in the compiler's order are not known
pl.tile.store(tile, [0, 0], win_a)
pl.system.cacheinvalid(win_a, [1, 64], [0, 0])
pl.system.fence()
