# test: frame=insert_comm_fence
# pypto-facts 3.6
# 09 notify_inside_if_write_before
pl.tile.store(tile, [0, 0], win_a)
if n > 0:
    pld.system.notify(sig, peer, [me, 0], pl.const(1, pl.INT32), op=0)
