pl.tile.store(tile, [0, 0], out)
