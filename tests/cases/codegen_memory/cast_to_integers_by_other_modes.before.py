# test: frame=kernel rows=4
# Quarters of 1, 6, 4 and 2, below zero, made whole; without a mode as by round.
t = pl.mul(pl.load(f, [0, 0], [1, 16]), -0.25)
out = pl.store(pl.tile.cast(t, target_type=pl.INT32), [0, 0], out)
out = pl.store(pl.tile.cast(t, target_type=pl.INT32, mode="trunc"), [1, 0], out)
out = pl.store(pl.tile.cast(t, target_type=pl.INT32, mode="odd"), [2, 0], out)
