# test: frame=kernel
# tiles in their memory spaces (pypto-ops-facts 1.4, 2)
# not annotated
t = pl.load(f, [0, 0], [4, 4], target_memory=pl.Mem.Mat)
l = pl.tile.move(t, target_memory=pl.Mem.Left)
r = pl.tile.move(t, target_memory=pl.Mem.Right)
c = pl.tile.matmul(l, r)
pl.store(c, [0, 0], fout)
