# test: frame=kernel region_cacheinvalid=every_line
# one dcci at the base address whatever the shape (hw-facts 0.3), or every line, aligned down (hw-facts 1.5)
# every line of a column
pl.system.cacheinvalid(win, [3, 1], [0, 0])
