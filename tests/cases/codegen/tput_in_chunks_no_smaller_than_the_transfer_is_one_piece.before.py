# test: frame=kernel
# TPUT in chunks no smaller than the transfer is one piece
pld.tensor.put(win, 4 - n, x, atomic=0, chunk_rows=4, chunk_cols=64, pipeline=True)
