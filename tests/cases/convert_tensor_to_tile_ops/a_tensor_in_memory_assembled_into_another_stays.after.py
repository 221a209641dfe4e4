w = pl.tensor.assemble(w, x, [0, 0])
return
