# test: frame=kernel fence=fence3
# fence of three pipes
pl.system.fence()
