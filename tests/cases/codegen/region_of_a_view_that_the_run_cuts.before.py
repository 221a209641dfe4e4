# test: frame=kernel region_cacheinvalid=every_line
# one dcci at the base address whatever the shape (hw-facts 0.3), or every line, aligned down (hw-facts 1.5)
# of a view that the run cuts
v = pl.tensor.slice(out, [n - 1, 16], [1, 0])
pl.system.cacheinvalid(v, [n - 1, 16], [0, 0])
