# test: frame=bare_kernel
# and where no type reads the name
m = 64
m = 16
y = m
