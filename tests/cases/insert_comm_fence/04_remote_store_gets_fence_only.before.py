# test: frame=insert_comm_fence
# pypto-facts 3.6
# 04 remote_store_gets_fence_only
pld.tile.remote_store(tile, win_a, peer, [0, 0])
pld.system.notify(sig, peer, [me, 0], pl.const(1, pl.INT32), op=0)
