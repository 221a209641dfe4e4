# test: frame=kernel
# tiles in their memory spaces (pypto-ops-facts 1.4, 2)
# carried by a loop
t = pl.load(f, [0, 0], [4, 4], target_memory=pl.Mem.Mat)
l = pl.tile.move(t, target_memory=pl.Mem.Left)
r = pl.tile.move(t, target_memory=pl.Mem.Right)
c = pl.tile.create([4, 4], dtype=pl.FP32)
for i, (acc,) in pl.range(2, init_values=(c,)):
    d = pl.tile.matmul_acc(acc, l, r)
    e = pl.yield_(d)
pl.store(e, [0, 0], fout)
