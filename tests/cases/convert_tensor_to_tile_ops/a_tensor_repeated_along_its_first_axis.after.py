expand_clone_input: pl.Tile[[1, 8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x1, [0, 0, 0], [1, 8, 16], [1, 8, 16], target_memory=pl.Mem.Vec)
for i_1, (expand_clone_acc,) in pl.range(2, init_values=(x3,)):
    expand_clone_d0_store: pl.Tensor[[2, 8, 16], pl.FP32] = pl.tile.store(expand_clone_input, [i_1, 0, 0], expand_clone_acc)
    expand_clone_d0_result: pl.Tensor[[2, 8, 16], pl.FP32] = pl.yield_(expand_clone_d0_store)
y__tile: pl.Tensor[[2, 8, 16], pl.FP32] = expand_clone_d0_result
return
