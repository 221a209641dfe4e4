# test: frame=bare_kernel
# division gives a float
y = n / i
z = n // i
