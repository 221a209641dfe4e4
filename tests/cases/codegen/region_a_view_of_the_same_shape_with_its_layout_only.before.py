# test: frame=kernel region_cacheinvalid=every_line
# one dcci at the base address whatever the shape (hw-facts 0.3), or every line, aligned down (hw-facts 1.5)
# a view of the same shape, with its layout only
v = pl.tensor.view(win, layout=pl.TensorLayout.ND)
pl.system.cacheinvalid(v, [1, 4], [1, 0])
