# test: frame=insert_comm_fence rules=proposed
# plain tensor that a branch yields
if n > 0:
    r = pl.yield_(plain)
else:
    r = pl.yield_(out)
pl.tile.store(tile, [0, 0], out)
pl.tensor.read(r, [0, 0])
