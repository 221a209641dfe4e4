# test: frame=kernel
# i = 0: 11. i = 1: 12 is written, and the rest is left out. i = 2: 23. i = 3: 134. i = 4: 135, and the rest is left out.
# i = 5: 136 is written, and the loop ends.
v = pl.const(0, pl.INT32)
for i in pl.range(8):
    v = v + pl.const(1, pl.INT32)
    if i == 1:
        pl.write(out, [0, 1], v)
        continue
    if i > 2:
        if i == 5:
            pl.write(out, [0, 2], v)
            break
        if i == 4:
            continue
        v = v + pl.const(100, pl.INT32)
    v = v + pl.const(10, pl.INT32)
pl.write(out, [0, 0], v)
