# test: frame=insert_comm_fence
# pypto-facts 3.3
# loop that carries a value
for src, (k,) in pl.range(8, init_values=(n,)):
    pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
    k2: pl.Scalar[pl.INT32] = pl.yield_(k)
