# test: frame=kernel region_cacheinvalid=every_line
# one dcci at the base address whatever the shape (hw-facts 0.3), or every line, aligned down (hw-facts 1.5)
# every line of two rows
pl.system.cacheinvalid(win, [2, 16], [2, 0])
