# test: frame=bare_kernel
# Operands of one type are not cast, nor what and, or and not take.
a = n + n
c = i % 4
d = f < 1.5
e = b and n
g = not n or i < 2
h = -n
