pld.tensor.put(win_a, peer, plain, atomic=pl.AtomicType.None_)
pl.system.fence()
