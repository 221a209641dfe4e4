pl._dump.call('pld.system.wait', [sig, [0, 0], 1], pl.Ptr, kwargs={"cmp": 1})
