# test: frame=insert_comm_fence rules=proposed
# a get is fenced first
pld.tile.get(win_a, peer, win_b, tile)
