# test: frame=kernel
# a part of a row
out[n - 2, 0:8] = x[2, 8:16]
