# test: frame=kernel
# TPUT of a whole tensor, in chunks of rows
pld.tensor.put(win, 4 - n, x, atomic=0, chunk_rows=3)
