y = pl.mystery(i)
