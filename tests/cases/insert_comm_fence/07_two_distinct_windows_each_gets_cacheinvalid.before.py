# test: frame=insert_comm_fence
# pypto-facts 3.6
# 07 two_distinct_windows_each_gets_cacheinvalid
pl.tile.store(tile, [0, 0], win_a)
pl.tile.store(tile, [0, 0], win_b)
pld.system.notify(sig, peer, [me, 0], pl.const(1, pl.INT32), op=0)
