# test: frame=bare_kernel
# what only dumps and printed programs spell (pypto-facts 1.4, 1.6)
# number by its bits, finite
y = pl.const(pl._dump.float64("4004000000000000"), pl.FP16)
