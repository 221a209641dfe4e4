# test: frame=kernel passes=all toolchain=ptoas-0.52
# the whole way with the older fence: its three barriers end in the one that the store is in
# fence of three barriers behind FIX
t = pl.load(f, [0, 0], [4, 4], target_memory=pl.Mem.Mat)
l = pl.tile.move(t, target_memory=pl.Mem.Left)
r = pl.tile.move(t, target_memory=pl.Mem.Right)
c = pl.matmul(l, r)
pl.store(c, [0, 0], fwin)
pld.system.notify(sig, 4 - n, [0, 0], 1, op=pld.NotifyOp.Set)
