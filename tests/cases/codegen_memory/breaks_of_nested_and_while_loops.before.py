# test: frame=kernel
# The inner loop downwards is left at 2, twice: 4 + 3 = 7 each time; the outer one goes on to its end. The while loop is left
# at the third round. The bound that the body changes counts as it was: three rounds.
v = pl.const(0, pl.INT32)
for i in pl.range(2):
    for j in pl.range(4, 0, -1):
        if j == 2:
            break
        v = v + pl.cast(j, pl.INT32)
pl.write(out, [0, 0], v)
k = pl.const(0, pl.INT32)
while k < 10:
    k = k + pl.const(1, pl.INT32)
    if k == 3:
        break
pl.write(out, [0, 1], k)
m = 3
y = pl.const(0, pl.INT32)
for i in pl.range(m):
    if y == 9:
        break
    m = m + 1
    y = y + pl.const(1, pl.INT32)
pl.write(out, [0, 2], y)
