# test: frame=kernel
# scalars that change places in an assignment
a = 1
b = 2
for i in pl.range(3):
    a, b = b, a
pl.write(out, [0, 0], a)
pl.write(out, [0, 1], b)
