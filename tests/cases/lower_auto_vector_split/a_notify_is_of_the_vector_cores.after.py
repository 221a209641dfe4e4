pl.func_attr({"split_aiv": True, "split_aiv_region_validated": True})
lane: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
if lane == 0:
    pld.system.notify(s, 1, [0, 0], 1, op=0, attrs={"core_placement": 'aiv'})
pld.system.notify(s, 1, [1, 0], 1, op=0)
