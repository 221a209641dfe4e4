# test: frame=kernel passes=all
# W1
pl.write(win, [0, 0], 1)
