# test: frame=insert_comm_fence
# pypto-facts 3.3
# wait, then loop: each its own
pld.system.wait(sig, [0, 0], pl.const(1, pl.INT32), cmp=1)
for src in pl.range(8):
    pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
