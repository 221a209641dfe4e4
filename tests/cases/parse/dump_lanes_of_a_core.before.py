# test: frame=bare_kernel
# what only dumps and printed programs spell (pypto-facts 1.4, 1.6)
# lanes of a core
for j in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
    pass
