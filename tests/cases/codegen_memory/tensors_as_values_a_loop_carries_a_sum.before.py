# test: frame=kernel passes=all rows=1
# 10 + 0 + 1 + 2 + 3
acc0 = pl.tensor.full([4, 16], dtype=pl.INT32, value=10)
for i, (acc,) in pl.range(4, init_values=(acc0,)):
    s = pl.add(acc, i)
    total = pl.yield_(s)
out[:, :] = total
