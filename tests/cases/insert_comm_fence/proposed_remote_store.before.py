# test: frame=insert_comm_fence rules=proposed
# remote store
pld.tile.remote_store(tile, win_a, peer, [0, 0])
