# test: frame=insert_comm_fence
# pypto-facts 3.1
# W2 put
pld.tile.put(win_a, peer, plain, tile, atomic=pl.AtomicType.None_)
pld.system.notify(sig, peer, [me, 0], pl.const(1, pl.INT32), op=0)
