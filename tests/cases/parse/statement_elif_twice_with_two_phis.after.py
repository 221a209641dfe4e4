if b:
    y, z = pl.yield_(n, i)
else:
    if i < 1:
        y_1, z_1 = pl.yield_(1, i)
    else:
        if i < 2:
            y_2, z_2 = pl.yield_(n, 2)
        else:
            y_2, z_2 = pl.yield_(n, 3)
        y_1, z_1 = pl.yield_(y_2, z_2)
    y, z = pl.yield_(y_1, z_1)
return z
