# test: frame=insert_comm_fence
# pypto-facts 3.1
# W3 operator that the registry does not hold
pl.tile.frobnicate(tile)
