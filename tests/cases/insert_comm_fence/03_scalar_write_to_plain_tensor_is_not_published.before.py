# test: frame=insert_comm_fence
# pypto-facts 3.6
# 03 scalar_write_to_plain_tensor_is_not_published
pl.tensor.write(plain, [0, 0], value)
pld.system.notify(sig, peer, [me, 0], pl.const(1, pl.INT32), op=0)
