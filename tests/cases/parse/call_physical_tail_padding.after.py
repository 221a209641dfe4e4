t: pl.Tile[[1, 64], pl.FP32] = pld.tile._remote_load_with_physical_tail_padding(win, n, [0, 0], [1, 64], [1, 60])
