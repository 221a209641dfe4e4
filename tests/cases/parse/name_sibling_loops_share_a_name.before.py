# test: frame=bare_kernel
# sibling loops share a name
for j in pl.range(2):
    y = j
for j in pl.range(3):
    y = j
