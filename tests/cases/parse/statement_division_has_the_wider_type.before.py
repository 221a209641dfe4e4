# test: frame=bare_kernel
# a division has the wider type of its operands
y = n / i
z = n // i
