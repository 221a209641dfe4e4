# test: frame=kernel passes=all
# R1
pld.system.wait(sig, [0, 0], 0, cmp=1)
