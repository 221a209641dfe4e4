# test: frame=insert_comm_fence
# pypto-facts 3.1
# a read in a condition is no leaf
if pl.tensor.read(counts, [0, 0]) > 0:
    pl.tile.store(tile, [0, 0], out)
