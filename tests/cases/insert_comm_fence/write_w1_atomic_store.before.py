# test: frame=insert_comm_fence
# pypto-facts 3.1
# W1 atomic store
pl.tile.store(tile, [0, 0], win_a, atomic=pl.AtomicType.Add)
