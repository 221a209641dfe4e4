if pl.cast(pl.tensor.read(counts, [0, 0]), pl.INDEX) > 0:
    pl.tile.store(tile, [0, 0], out)
