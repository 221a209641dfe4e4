pl.tensor.assemble(win_a, plain, [0, 0])
