pl.tile.store(tile, [0, 0], pl.tensor.view(plain, [1, 64]))
