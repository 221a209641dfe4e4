# test: frame=kernel
# tiles in their memory spaces (pypto-ops-facts 1.4, 2)
# to a peer
t = pl.load(f, [0, 0], [4, 4], target_memory=pl.Mem.Mat)
l = pl.tile.move(t, target_memory=pl.Mem.Left)
r = pl.tile.move(t, target_memory=pl.Mem.Right)
c = pl.tile.matmul(l, r)
pld.tile.remote_store(c, fwin, 4 - n, [0, 0])
