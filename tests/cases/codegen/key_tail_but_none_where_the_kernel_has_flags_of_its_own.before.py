# test: frame=kernel kernel_tail=barrier_dcci_dsb tail_cleans=scalar_stores auto_sync=yes
# what a key of the toolchain changes
# tail: but none where the kernel has flags of its own
t = pl.load(x, [0, 0], [1, 16])
pl.system.sync_src(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.MTE3, event_id=0)
pl.system.sync_dst(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.MTE3, event_id=0)
pl.store(t, [0, 0], out)
