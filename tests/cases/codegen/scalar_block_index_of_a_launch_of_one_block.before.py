# test: frame=kernel
# block index of a launch of one block
pl.write(out, [0, 0], pl.tile.get_block_idx())
pl.write(out, [0, 1], pl.tile.get_block_num())
