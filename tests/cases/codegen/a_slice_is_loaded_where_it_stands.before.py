# test: frame=kernel
# a slice is loaded where it stands
y = x[2:4, 8:16]
pl.write(win, [0, 0], 1)
out[0:2, 0:8] = y
