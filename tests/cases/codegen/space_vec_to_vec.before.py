# test: frame=kernel
# tiles in their memory spaces (pypto-ops-facts 1.4, 2)
# Vec to Vec
t = pl.load(f, [0, 0], [4, 4], target_memory=pl.Mem.Vec)
u = pl.tile.move(t, target_memory=pl.Mem.Vec)
