# test: frame=insert_comm_fence
# pypto-facts 3.3
# wait and load in one body
for src in pl.range(8):
    pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
    pld.tile.remote_load(win_a, peer, [0, 0], [1, 64])
