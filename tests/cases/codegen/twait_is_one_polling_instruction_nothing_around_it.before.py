# test: frame=kernel
# hw-facts 1.2
# TWAIT is one polling instruction, nothing around it
pld.system.wait(sig, [3, 0], n - n, cmp=pld.WaitCmp.Ge)
