pl.tensor.view(x, [256])
