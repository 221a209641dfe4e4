# test: frame=kernel fence=dsb
# what a key of the toolchain changes
# fence: nothing in front of dsb
pl.system.fence()
