# test: frame=kernel auto_sync=yes
# A slice of a tile is nothing at all for the assembler.
t = pl.load(f, [0, 0], [4, 4], target_memory=pl.Mem.Vec)
u = pl.tile.slice(t, [2, 4], [1, 0])
pl.store(u, [0, 0], fout)
