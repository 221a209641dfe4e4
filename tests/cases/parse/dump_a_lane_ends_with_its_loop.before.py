# test: frame=bare_kernel
# what only dumps and printed programs spell (pypto-facts 1.4, 1.6)
# a lane ends with its loop
for j in pl.spmd(2):
    pass
for j in pl.range(2):
    pass
