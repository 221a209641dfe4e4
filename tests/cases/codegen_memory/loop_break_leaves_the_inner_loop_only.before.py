# test: frame=kernel
# break leaves the inner loop only
for i in pl.range(2):
    for j in pl.range(4):
        if j == 1:
            break
        pl.write(out, [i, j], 7)
    pl.write(out, [i, 3], 8)
