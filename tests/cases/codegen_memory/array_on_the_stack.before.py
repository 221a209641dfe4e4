# test: frame=kernel rows=1
# a[i] = 2 * i, and then a[3] = 100; element 0 of out is their sum 0 + 2 + 4 + 100, element 1 a[3].
a = pl.array.create(4, pl.INT32)
for i in pl.range(4):
    a = pl.array.update_element(a, i, i * 2)
b = pl.array.update_element(a, 3, 100)
pl.tensor.write(out, [0, 0], 0)
for i in pl.range(4):
    pl.tensor.write(out, [0, 0], pl.tensor.read(out, [0, 0]) + pl.array.get_element(b, i))
pl.tensor.write(out, [0, 1], pl.array.get_element(a, 3))
