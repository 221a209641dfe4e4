# test: frame=kernel passes=all
# by hand
pl.system.fence()
