# test: frame=bare_kernel
# what only dumps and printed programs spell (pypto-facts 1.4, 1.6)
# lanes of a launch
for j in pl.spmd(n, sync_start=True):
    y = j
