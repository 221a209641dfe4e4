# test: frame=bare_kernel
# constants inside a dict stay expressions
pl.note(attrs={"v": pl.const(-1, pl.INDEX), "w": -1})
