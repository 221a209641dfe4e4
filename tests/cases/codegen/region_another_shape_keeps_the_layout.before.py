# test: frame=kernel region_cacheinvalid=base_line
# one dcci at the base address whatever the shape (hw-facts 0.3), or every line, aligned down (hw-facts 1.5)
# another shape keeps the layout: of [16, 4] by columns, element [3, 2] is the 35th, of [8, 8] it is the 19th
v = pl.tensor.view(win, layout=pl.TensorLayout.DN)
w = pl.tensor.view(v, [8, 8])
pl.system.cacheinvalid(v, [1, 1], [3, 2])
pl.system.cacheinvalid(w, [1, 1], [3, 2])
