tput_stage: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.create([8, 16], dtype=pl.FP32, target_memory=pl.Mem.Vec)
pld.tile.put(w, peer, x, tput_stage)
tget_stage: pl.Tile[[4, 16], pl.FP32, pl.Mem.Vec] = pl.tile.create([4, 16], dtype=pl.FP32, target_memory=pl.Mem.Vec)
pld.tile.get(out, peer, w, tget_stage, [0, 0], [4, 0], [4, 16])
return
