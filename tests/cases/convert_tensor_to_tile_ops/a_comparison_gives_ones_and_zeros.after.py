x__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec)
cmp_mask: pl.Tile[[8, 32], pl.UINT8, pl.Mem.Vec] = pl.tile.cmps(x__tile, 0.5, cmp_type='gt')
cmp_one: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.full([8, 16], dtype=pl.FP32, value=1.0)
cmp_zero: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.full([8, 16], dtype=pl.FP32, value=0.0)
cmp_tmp: pl.Tile[[1, 32], pl.UINT8, pl.Mem.Vec] = pl.tile.create([1, 32], dtype=pl.UINT8, target_memory=pl.Mem.Vec)
t__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.sel(cmp_mask, cmp_one, cmp_zero, cmp_tmp)
out: pl.Tensor[[8, 16], pl.FP32] = pl.tile.store(t__tile, [0, 0], out)
return
