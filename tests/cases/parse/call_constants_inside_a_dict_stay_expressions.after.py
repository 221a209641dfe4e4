pl.note(attrs={"v": pl.const(-1, pl.INDEX), "w": -1})
