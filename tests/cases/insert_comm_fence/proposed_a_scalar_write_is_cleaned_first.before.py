# test: frame=insert_comm_fence rules=proposed
# a scalar write is cleaned first
pl.tensor.write(win_a, [0, 0], value)
