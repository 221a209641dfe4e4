# test: frame=bare_kernel
# a type means the value that its extent had
m = 64
v = pl.tensor.slice(x, [4, m], [0, 0])
m = 16
y = m
