# test: frame=insert_comm_fence
# pypto-facts 3.6
# 11 loop_back_edge_notify_then_write
for i in pl.range(8):
    pld.system.notify(sig, peer, [me, 0], pl.const(1, pl.INT32), op=0)
    pl.tile.store(tile, [0, 0], win_a)
