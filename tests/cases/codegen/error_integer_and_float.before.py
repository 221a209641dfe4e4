# test: frame=kernel
# integer and float
a = 1
a = 2.5
