# test: frame=bare_kernel
# enum keywords print as integers
pld.system.notify(sig, n, [0, 0], 1, op=pld.NotifyOp.Set)
pld.system.wait(sig, [0, 0], 1, cmp=pld.WaitCmp.Ge)
