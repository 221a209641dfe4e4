# test: frame=insert_comm_fence
# pypto-facts 3.6
# 08 write_inside_if_branch
if n > 0:
    pl.tile.store(tile, [0, 0], win_a)
pld.system.notify(sig, peer, [me, 0], pl.const(1, pl.INT32), op=0)
