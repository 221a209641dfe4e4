# test: frame=kernel
# return out of a loop
for i in pl.range(4):
    if i == 2:
        return out
    pl.write(out, [0, i], 70)
