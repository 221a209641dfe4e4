# test: frame=insert_comm_fence
# pypto-facts 3.3
# empty loop
for src in pl.range(8):
    pass
pl.tile.load(win_a, [0, 0], [1, 64], [1, 64])
