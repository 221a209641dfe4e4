# test: frame=bare_kernel
# an operator of pld that is none, spelled behind pl
pl.pld.mystery(i)
