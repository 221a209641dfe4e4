pl.func_attr({"split_aiv": True, "split_aiv_region_validated": True})
subblock_idx: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
lane: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
t: pl.Tile[[4, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0 + subblock_idx * 4, 0], [4, 16], [4, 16])
for i, (c,) in pl.range(2, init_values=(t,)):
    d: pl.Tile[[4, 16], pl.FP32, pl.Mem.Vec] = pl.tile.add(c, t)
    r: pl.Tile[[4, 16], pl.FP32, pl.Mem.Vec] = pl.yield_(d)
o = pl.tile.store(r, [0 + subblock_idx * 4, 0], o)
