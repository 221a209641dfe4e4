y = pl.test.mystery(i)
