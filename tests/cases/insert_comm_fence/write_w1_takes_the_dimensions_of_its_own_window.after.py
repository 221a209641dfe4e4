pl.tensor.write(counts, [0, 0], n)
pl.system.cacheinvalid(counts, [8, 1], [0, 0])
pl.system.fence()
