# test: frame=bare_kernel
# what only dumps and printed programs spell (pypto-facts 1.4, 1.6)
# number by its bits
y = pl._dump.float64("fff0000000000000")
