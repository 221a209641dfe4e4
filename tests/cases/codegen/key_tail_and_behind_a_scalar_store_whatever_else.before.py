# test: frame=kernel kernel_tail=barrier_dcci_dsb tail_cleans=scalar_stores auto_sync=yes
# what a key of the toolchain changes
# tail: and behind a scalar store, whatever else
pl.write(out, [0, 0], 1)
