# test: frame=kernel auto_sync=yes
# A reshape moves nothing, but it is the scalar unit's for the assembler, which has it wait for the load.
t = pl.load(f, [0, 0], [4, 4], target_memory=pl.Mem.Vec)
u = pl.tile.reshape(t, [2, 8])
pl.store(u, [0, 0], fout)
