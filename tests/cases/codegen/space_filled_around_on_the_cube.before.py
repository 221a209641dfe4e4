# test: frame=kernel
# tiles in their memory spaces (pypto-ops-facts 1.4, 2)
# filled around, on the cube
t = pl.load(f, [0, 0], [4, 4], target_memory=pl.Mem.Mat)
u = pl.tile.fillpad(t)
