# test: frame=kernel
# rank and number of ranks
c = pld.system.get_comm_ctx(win)
r = pld.system.rank(c)
s = pld.system.nranks(c)
pl.write(out, [0, 0], r)
pl.write(out, [0, 1], s)
