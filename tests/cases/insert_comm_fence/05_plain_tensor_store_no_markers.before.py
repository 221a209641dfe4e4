# test: frame=insert_comm_fence
# pypto-facts 3.6
# 05 plain_tensor_store_no_markers
pl.tile.store(tile, [0, 0], out)
