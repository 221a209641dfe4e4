# test: frame=bare_kernel
# typed bounds print in full
for j in pl.range(pl.const(0, pl.INT64), i, pl.const(1, pl.INT64)):
    y = j
