# test: frame=kernel region_cacheinvalid=base_line
# one dcci at the base address whatever the shape (hw-facts 0.3), or every line, aligned down (hw-facts 1.5)
# base line of a region that starts later
pl.system.cacheinvalid(win, [1, 12], [1, 4])
