# test: frame=bare_kernel
# what only dumps and printed programs spell (pypto-facts 1.4, 1.6)
# enum of a recorded call
pl._dump.call('pld.system.wait', [sig, [0, 0], 1], pl.Ptr, kwargs={"cmp": pld.WaitCmp.Ge})
