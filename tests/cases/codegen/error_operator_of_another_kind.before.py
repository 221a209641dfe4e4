# test: frame=kernel
# operator of another kind
y = n ** 2
