# test: frame=split
# each lane would have the sum of its half
        for lane in pl.split_aiv(2, mode=pl.SplitMode.LEFT_RIGHT):
            t = pl.load(x, [0, 0], [8, 16])
            tmp = pl.tile.create([8, 16], dtype=pl.FP32, target_memory=pl.Mem.Vec)
            u = pl.tile.row_sum(t, tmp)
