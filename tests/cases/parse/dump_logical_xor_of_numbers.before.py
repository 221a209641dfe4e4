# test: frame=bare_kernel
# what only dumps and printed programs spell (pypto-facts 1.4, 1.6)
# logical xor of numbers
y = pl._dump.logical_xor(n, i)
