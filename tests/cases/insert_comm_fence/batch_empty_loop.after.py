for src in pl.range(8):
    pass
pl.tile.load(win_a, [0, 0], [1, 64], [1, 64])
