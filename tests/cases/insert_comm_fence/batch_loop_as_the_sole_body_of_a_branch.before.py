# test: frame=insert_comm_fence
# pypto-facts 3.3
# loop as the sole body of a branch
if n > 0:
    for src in pl.range(8):
        pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
