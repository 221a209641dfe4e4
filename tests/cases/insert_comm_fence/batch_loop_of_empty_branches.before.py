# test: frame=insert_comm_fence
# pypto-facts 3.3
# loop of empty branches
for src in pl.range(8):
    if src != me:
        pass
