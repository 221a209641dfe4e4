# test: frame=insert_comm_fence
# pypto-facts 3.1
# else branch, while body and loop body
if n > 0:
    pl.tile.store(tile, [0, 0], out)
else:
    while n > me:
        for i in pl.range(2):
            pld.tile.put(win_b, peer, plain, tile, atomic=pl.AtomicType.None_)
