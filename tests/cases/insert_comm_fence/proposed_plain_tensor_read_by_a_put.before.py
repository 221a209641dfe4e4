# test: frame=insert_comm_fence rules=proposed
# plain tensor read by a put
pl.tensor.write(plain, [0, 0], value)
pld.tile.put(win_a, peer, plain, tile, atomic=pl.AtomicType.None_)
