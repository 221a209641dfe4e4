# test: frame=insert_comm_fence
# pypto-facts 3.6
# 14 wait_then_read_inserts_whole_gm_cacheinvalid
pld.system.wait(sig, [peer, 0], pl.const(1, pl.INT32), cmp=1)
pl.tensor.read(win_a, [0, 0])
pl.tensor.write(out, [0, 0], value)
