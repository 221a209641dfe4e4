# test: frame=bare_kernel
# scope
with pl.cluster():
    y = i
