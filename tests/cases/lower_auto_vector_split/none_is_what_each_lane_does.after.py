pl.func_attr({"split_aiv": True, "split_aiv_region_validated": True})
lane: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
t: pl.Tile[[8, 16], pl.FP32] = pl.tile.load(x, [lane * 8, 0], [8, 16], [8, 16])
o = pl.tile.store(t, [lane * 8, 0], o)
