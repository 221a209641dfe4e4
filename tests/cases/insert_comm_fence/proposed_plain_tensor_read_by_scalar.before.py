# test: frame=insert_comm_fence rules=proposed
# plain tensor read by scalar
pld.tile.get(plain, peer, win_b, tile)
pl.tensor.read(plain, [0, 0])
