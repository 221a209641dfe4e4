# test: frame=kernel kernel_tail=barrier_dcci runtime_fin=dsb
# what a key of the toolchain changes
# tail: the runtime waits before it reports the end
pl.write(out, [0, 0], 1)
