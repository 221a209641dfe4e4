# test: frame=kernel
# barriers
pl.system.bar_v()
pl.system.bar_m()
pl.system.bar_all()
