# test: frame=split
# what a loop carries is halved when it starts so, and so is what it leaves
        for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
            t: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.load(x, [0, 0], [8, 16])
            for i, (c,) in pl.range(2, init_values=(t,)):
                d: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.add(c, t)
                r: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.yield_(d)
            o = pl.store(r, [0, 0], o)
