# test: frame=insert_comm_fence rules=proposed
# plain tensor before a user function
pl.tile.store(tile, [0, 0], plain)
self.helper(win_a)
