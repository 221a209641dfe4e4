# test: frame=insert_comm_fence
# pypto-facts 3.3
# loop of waits inside a loop that loads
for row in pl.range(4):
    for src in pl.range(8):
        pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
    pl.tile.load(win_a, [0, 0], [1, 64], [1, 64])
