# test: frame=insert_comm_fence rules=proposed
# plain tensor that a loop carries
for i, (w,) in pl.range(4, init_values=(plain,)):
    x = pl.tile.store(tile, [0, 0], w)
    r = pl.yield_(x)
pl.tensor.read(r, [0, 0])
