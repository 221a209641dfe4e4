tput_stage_ping: pl.Tile[[2, 8], pl.FP32, pl.Mem.Vec] = pl.tile.create([2, 8], dtype=pl.FP32, target_memory=pl.Mem.Vec)
tput_stage_pong: pl.Tile[[2, 8], pl.FP32, pl.Mem.Vec] = pl.tile.create([2, 8], dtype=pl.FP32, target_memory=pl.Mem.Vec)
pld.tile.put(w, peer, x, tput_stage_ping, tput_stage_pong, atomic=pl.AtomicType.Add)
tget_stage: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.create([8, 16], dtype=pl.FP32, target_memory=pl.Mem.Vec)
pld.tile.get(w, peer, w, tget_stage)
return
