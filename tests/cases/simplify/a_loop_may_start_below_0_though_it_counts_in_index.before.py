# test: frame=simplify
# ranges
# a loop may start below 0, though it counts in INDEX
for j in pl.range(-4, 4):
    pl.test.use(j % 4, j // 8, (j + 4) // 8, pl.max(j, -4))
for h in pl.range(4):
    pl.test.use(h % 4, h // 8)
