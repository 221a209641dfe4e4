# test: frame=bare_kernel
# physical tail padding
t = pld.tile._remote_load_with_physical_tail_padding(win, n, [0, 0], [1, 64], [1, 60])
