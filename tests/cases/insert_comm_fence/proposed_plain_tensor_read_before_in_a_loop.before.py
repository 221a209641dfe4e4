# test: frame=insert_comm_fence rules=proposed
# plain tensor read before in a loop
for i in pl.range(4):
    pl.tensor.read(plain, [0, 0])
    pl.tile.store(tile, [0, 0], plain)
