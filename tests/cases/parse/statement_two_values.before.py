# test: frame=bare_kernel
# two values
return i, (n)
