for j in pl.range(15):
    pl.tensor.write(row, [0, j], 7)
return
