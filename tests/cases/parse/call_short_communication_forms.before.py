# test: frame=bare_kernel
# short communication forms
c = pld.get_comm_ctx(win)
r = pld.rank(c)
t = pld.remote_load(win, r, [0, 0], [1, 64])
pld.remote_store(t, win, r, [0, 0])
pld.remote_store(x, win, r, [0, 0])
