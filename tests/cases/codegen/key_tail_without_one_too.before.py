# test: frame=kernel runtime_fin=dsb
# what a key of the toolchain changes
# tail: without one too
pl.write(out, [0, 0], 1)
