# test: frame=kernel
# TPUT of a whole tensor, before a stage is chosen
pld.tensor.put(win, 4 - n, x, atomic=0)
