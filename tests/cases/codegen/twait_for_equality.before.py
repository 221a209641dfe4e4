# test: frame=kernel
# hw-facts 1.2
# TWAIT for equality
pld.system.wait(sig, [0, 0], 0, cmp=pld.WaitCmp.Eq)
