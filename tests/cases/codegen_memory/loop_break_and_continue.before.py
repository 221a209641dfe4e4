# test: frame=kernel
# break and continue
for i in pl.range(10):
    if i == 1:
        continue
    if i == 3:
        break
    pl.write(out, [0, i], 20 + i)
