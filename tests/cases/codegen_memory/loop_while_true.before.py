# test: frame=kernel
# while True
i = 0
while True:
    i = i + 1
    if i == 3:
        break
pl.write(out, [0, 0], i)
