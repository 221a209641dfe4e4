# test: frame=kernel
# a part of as many rows as the run says
out[0:n - 1, 0:8] = x[0:n - 1, 8:16]
