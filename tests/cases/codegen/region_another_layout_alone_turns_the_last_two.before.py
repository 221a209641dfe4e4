# test: frame=kernel region_cacheinvalid=base_line
# one dcci at the base address whatever the shape (hw-facts 0.3), or every line, aligned down (hw-facts 1.5)
# another layout alone: element [3, 2] of the view is [2, 3] of the window, in its place
v = pl.tensor.view(win, layout=pl.TensorLayout.DN)
pl.system.cacheinvalid(v, [1, 1], [3, 2])
