# test: frame=bare_kernel
# what only dumps and printed programs spell (pypto-facts 1.4, 1.6)
# recorded call of an unknown operator
y = pl._dump.call('pld.tensor.future', [x, (1, n)], pl.Ptr, kwargs={"k": 1}, attrs={"a": [n]})
