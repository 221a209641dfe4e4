# test: frame=kernel region_cacheinvalid=every_line
# one dcci at the base address whatever the shape (hw-facts 0.3), or every line, aligned down (hw-facts 1.5)
# less than a line, on two lines
v = pl.tensor.view(win, [2, 32])
pl.system.cacheinvalid(v, [1, 12], [0, 8])
