# test: frame=kernel region_cacheinvalid=every_line
# one dcci at the base address whatever the shape (hw-facts 0.3), or every line, aligned down (hw-facts 1.5)
# as many lines as the run says
pl.system.cacheinvalid(out, [n - 1, 16], [0, 0])
