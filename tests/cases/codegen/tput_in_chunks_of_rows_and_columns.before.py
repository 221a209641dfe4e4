# test: frame=kernel
# TPUT in chunks of rows and columns
pld.tensor.put(win, 4 - n, x, [0, 0], [0, 0], [2, 16], atomic=0, chunk_rows=2, chunk_cols=8)
