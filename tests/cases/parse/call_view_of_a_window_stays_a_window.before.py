# test: frame=bare_kernel
# view of a window stays a window
y = pl.tensor.view(win, [1, 256])
