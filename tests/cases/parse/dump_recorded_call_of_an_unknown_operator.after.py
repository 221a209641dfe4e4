y: pl.Ptr = pl._dump.call('pld.tensor.future', [x, (1, n)], pl.Ptr, kwargs={"k": 1}, attrs={"a": [n]})
