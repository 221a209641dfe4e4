y = pl.tile.mystery(x, [1, (2,)], None, k='a', w=pl.PadValue.min, attrs={"d": [1, 2]})
