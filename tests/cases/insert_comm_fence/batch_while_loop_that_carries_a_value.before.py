# test: frame=insert_comm_fence
# pypto-facts 3.3
# while loop that carries a value
for (k,) in pl.while_(init_values=(n,)):
    pl.cond(k > 0)
    pld.system.wait(sig, [k, 0], pl.const(1, pl.INT32), cmp=1)
    k2: pl.Scalar[pl.INT32] = pl.yield_(k - 1)
