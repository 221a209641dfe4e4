# test: frame=insert_comm_fence rules=proposed
# plain tensor beside one that is read
pld.tile.get(plain, peer, win_b, tile)
pl.tile.load(out, [0, 0], [1, 64], [1, 64])
