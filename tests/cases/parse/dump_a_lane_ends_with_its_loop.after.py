for j in pl.spmd(2):
    pass
for j in pl.range(2):
    pass
