# test: frame=kernel
# a part of a tensor into another
out[0:2, 0:8] = x[2:4, 8:16]
