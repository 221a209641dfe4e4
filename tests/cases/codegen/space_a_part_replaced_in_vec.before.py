# test: frame=kernel
# tiles in their memory spaces (pypto-ops-facts 1.4, 2)
# a part replaced in Vec
t = pl.load(f, [0, 0], [4, 4], target_memory=pl.Mem.Vec)
u = pl.load(f, [1, 0], [1, 4])
w = pl.tile.assemble(t, u, [3, 0])
