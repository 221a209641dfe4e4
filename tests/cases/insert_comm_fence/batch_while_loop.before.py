# test: frame=insert_comm_fence
# pypto-facts 3.3
# while loop
while n > me:
    pld.system.wait(sig, [0, 0], pl.const(1, pl.INT32), cmp=1)
