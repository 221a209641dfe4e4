# test: frame=bare_kernel
# empty tuple
w: pl.Tuple[()] = ()
