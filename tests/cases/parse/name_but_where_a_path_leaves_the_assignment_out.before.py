# test: frame=bare_kernel
# but where a path leaves the assignment out
m = 64
v = pl.tensor.slice(x, [4, m], [0, 0])
if b:
    m = 16
y = m
