# test: frame=bare_kernel
# loop attributes
for j in pl.range(i, attrs={"grouped": True}):
    pass
