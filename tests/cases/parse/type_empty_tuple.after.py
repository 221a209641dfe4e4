w: pl.Tuple[()] = ()
