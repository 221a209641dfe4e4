# test: frame=simplify
# loops
# a jump of a loop inside
for j in pl.range(1):
    for k in pl.range(i):
        break
