# test: frame=kernel
# while
i = 0
while i < 3:
    pl.write(out, [0, i], 50 + i)
    i = i + 1
