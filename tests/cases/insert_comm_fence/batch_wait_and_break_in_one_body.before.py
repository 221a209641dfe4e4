# test: frame=insert_comm_fence
# pypto-facts 3.3
# wait and break in one body
for src in pl.range(8):
    pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
    if src > n:
        break
