# test: frame=kernel
# TPUT of run-time extent in chunks
pld.tensor.put(win, 4 - n, x, [0, 0], [0, 0], [1, n * 4], atomic=0, chunk_cols=8)
