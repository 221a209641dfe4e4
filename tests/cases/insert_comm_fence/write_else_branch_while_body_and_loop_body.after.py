if pl.cast(n, pl.INDEX) > 0:
    pl.tile.store(tile, [0, 0], out)
else:
    while n > me:
        for i in pl.range(2):
            pld.tile.put(win_b, peer, plain, tile, atomic=pl.AtomicType.None_)
            pl.system.fence()
