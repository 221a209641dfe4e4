# test: frame=bare_kernel
# INDEX and INT64 are two types, though nothing is cast between them
y = 0
y = pl.const(1, pl.INT64)
