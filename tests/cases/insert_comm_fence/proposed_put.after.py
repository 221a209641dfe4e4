pld.tile.put(win_a, peer, plain, tile, atomic=pl.AtomicType.None_)
pl.system.fence()
