# test: frame=insert_comm_fence
# pypto-facts 3.6
# 13 combo_two_phase_loops
for i in pl.range(8):
    pld.system.notify(sig, i, [me, 0], pl.const(1, pl.INT32), op=0)
    pl.tile.store(tile, [0, 0], win_a)
for j in pl.range(8):
    pld.system.notify(sig, j, [me, 0], pl.const(1, pl.INT32), op=0)
    pl.tile.store(tile, [0, 0], win_b)
