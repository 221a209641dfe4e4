# test: frame=kernel fence=fence_all
# fence that drains every pipe
pl.system.fence()
