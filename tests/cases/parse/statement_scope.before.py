# test: frame=bare_kernel
# scope
with pl.incore():
    y = i
