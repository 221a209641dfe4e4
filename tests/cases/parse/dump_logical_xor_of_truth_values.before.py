# test: frame=bare_kernel
# what only dumps and printed programs spell (pypto-facts 1.4, 1.6)
# logical xor of truth values
y = pl._dump.logical_xor(b, b)
