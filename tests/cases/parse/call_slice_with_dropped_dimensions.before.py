# test: frame=bare_kernel
# slice with dropped dimensions
y = pl.tensor.slice(x, [1, 64], [i, 0], [], [0])
