y: pl.Ptr = pl._dump.call(k, [x], pl.Ptr)
