# test: frame=kernel
# tiles in their memory spaces (pypto-ops-facts 1.4, 2)
# part of Mat
t = pl.load(f, [0, 0], [4, 4], target_memory=pl.Mem.Mat)
u = pl.tile.extract(t, 2, 0, [2, 4], target_memory=pl.Mem.Left)
