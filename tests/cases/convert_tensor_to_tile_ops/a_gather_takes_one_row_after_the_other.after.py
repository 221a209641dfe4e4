t__tile: pl.Tile[[4, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [4, 16], [4, 16], target_memory=pl.Mem.Vec)
gather_acc_init: pl.Tile[[4, 16], pl.FP32, pl.Mem.Vec] = pl.tile.create([4, 16], dtype=pl.FP32, target_memory=pl.Mem.Vec)
for gather_lv, (gather_ia,) in pl.range(4, init_values=(gather_acc_init,)):
    gather_inp_row: pl.Tile[[1, 16], pl.FP32, pl.Mem.Vec] = pl.tile.slice(t__tile, [1, 16], [gather_lv, 0], [1, 16])
    gather_idx_row: pl.Tile[[1, 16], pl.INT32, pl.Mem.Vec] = pl.tile.load(table, [gather_lv, 0], [1, 16], [1, 16], target_memory=pl.Mem.Vec)
    gather_row_tmp: pl.Tile[[1, 16], pl.INT32, pl.Mem.Vec] = pl.tile.create([1, 16], dtype=pl.INT32, target_memory=pl.Mem.Vec)
    gather_row: pl.Tile[[1, 16], pl.FP32, pl.Mem.Vec] = pl.tile.gather(gather_inp_row, gather_idx_row, gather_row_tmp)
    gather_asmbl: pl.Tile[[4, 16], pl.FP32, pl.Mem.Vec] = pl.tile.assemble(gather_ia, gather_row, [gather_lv, 0])
    gather_rv: pl.Tile[[4, 16], pl.FP32, pl.Mem.Vec] = pl.yield_(gather_asmbl)
t__tile_1: pl.Tile[[4, 16], pl.FP32, pl.Mem.Vec] = gather_rv
out: pl.Tensor[[8, 16], pl.FP32] = pl.tile.store(t__tile_1, [0, 0], out)
return
