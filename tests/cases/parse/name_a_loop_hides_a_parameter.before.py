# test: frame=bare_kernel
# a loop hides a parameter
for n in pl.range(2):
    y = n
z = n
