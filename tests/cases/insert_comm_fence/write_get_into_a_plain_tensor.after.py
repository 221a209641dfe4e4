pld.tile.get(plain, peer, win_b, tile)
