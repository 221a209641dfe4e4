# test: frame=insert_comm_fence
# pypto-facts 3.6
# 10 notify_inside_loop_after_write
pl.tile.store(tile, [0, 0], win_a)
for i in pl.range(8):
    pld.system.notify(sig, i, [me, 0], pl.const(1, pl.INT32), op=0)
