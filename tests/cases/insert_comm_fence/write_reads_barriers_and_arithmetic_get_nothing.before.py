# test: frame=insert_comm_fence
# pypto-facts 3.1
# reads, barriers and arithmetic get nothing
pl.tile.load(win_a, [0, 0], [1, 64], [1, 64])
pld.tile.remote_load(win_a, peer, [0, 0], [1, 64])
pl.tensor.read(win_a, [0, 0])
pl.system.bar_all()
pl.system.bar_v()
k: pl.Scalar[pl.INT32] = n + me
