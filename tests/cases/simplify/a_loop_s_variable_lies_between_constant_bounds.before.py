# test: frame=simplify
# ranges
# a loop's variable lies between constant bounds
for j in pl.range(4):
    pl.test.use(j // 4, j % 8, pl.min(j, 3), pl.max(j, 3), j // 2)
