# test: frame=simplify
# ranges
# nor does a loop's variable that its body assigns
for j in pl.range(4):
    pl.test.use(j // 4)
    j = j + 9
