# test: frame=kernel
# TGET through two stages in turn
pld.tensor.get(out, 4 - n, win, chunk_rows=1, chunk_cols=16, pipeline=True)
# While one stage is stored the other one is loaded: a stage is waited for when its turn comes again, and at the end.
