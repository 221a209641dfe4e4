# test: frame=kernel
# remote_store of a tensor: all of it is loaded first
pld.tensor.remote_store(x, win, 4 - n, [0, 0])
