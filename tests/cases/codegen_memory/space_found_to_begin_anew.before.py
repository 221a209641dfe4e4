# test: frame=kernel auto_sync=yes rows=1
# what views and parts hold
# found to begin anew
t = pl.load(f, [0, 0], [4, 4], target_memory=pl.Mem.Mat)
l = pl.tile.move(t, target_memory=pl.Mem.Left)
r = pl.tile.move(t, target_memory=pl.Mem.Right)
c = pl.tile.matmul(l, r)
x1 = pl.load(f, [0, 4], [4, 4], target_memory=pl.Mem.Mat)
l1 = pl.tile.move(x1, target_memory=pl.Mem.Left)
e = pl.tile.matmul(l1, r)
c1 = pl.tile.matmul_acc(c, l, r, n == 3)
e1 = pl.tile.matmul_acc(e, l, r, n == 3)
if pl.tile.read(c1, [0, 0]) == pl.tile.read(e1, [0, 0]):
    pl.write(out, [0, 0], 50)
if pl.tile.read(c1, [0, 0]) == pl.tile.read(c, [0, 0]):
    pl.write(out, [0, 1], 60)
