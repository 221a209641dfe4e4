# test: frame=kernel region_cacheinvalid=base_line
# one dcci at the base address whatever the shape (hw-facts 0.3), or every line, aligned down (hw-facts 1.5)
# base line of four
pl.system.cacheinvalid(win, [4, 16], [0, 0])
