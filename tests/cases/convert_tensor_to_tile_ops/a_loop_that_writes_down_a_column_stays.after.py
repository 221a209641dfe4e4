for j in pl.range(8):
    pl.tensor.write(table, [j, 0], 7)
return
