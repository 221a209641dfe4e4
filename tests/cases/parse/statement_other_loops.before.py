# test: frame=bare_kernel
# other loops
for j in pl.parallel(2):
    pass
for j in pl.unroll(2):
    pass
