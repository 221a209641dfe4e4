# test: frame=insert_comm_fence rules=proposed
# put
pld.tile.put(win_a, peer, plain, tile, atomic=pl.AtomicType.None_)
