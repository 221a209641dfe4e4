# test: frame=bare_kernel
# what only dumps and printed programs spell (pypto-facts 1.4, 1.6)
# recorded call of a function
y = pl._dump.call(k, [x], pl.Ptr)
