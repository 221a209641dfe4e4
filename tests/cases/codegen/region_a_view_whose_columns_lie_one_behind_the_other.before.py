# test: frame=kernel region_cacheinvalid=base_line
# one dcci at the base address whatever the shape (hw-facts 0.3), or every line, aligned down (hw-facts 1.5)
# a view whose columns lie one behind the other
v = pl.tensor.view(win, [16, 4], layout=pl.TensorLayout.DN)
pl.system.cacheinvalid(v, [1, 1], [3, 2])
