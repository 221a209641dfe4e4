# test: frame=insert_comm_fence
# pypto-facts 3.3
# for, if, wait, else, wait
for src in pl.range(8):
    if src != me:
        pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
    else:
        pld.system.wait(sig, [0, 0], pl.const(1, pl.INT32), cmp=1)
