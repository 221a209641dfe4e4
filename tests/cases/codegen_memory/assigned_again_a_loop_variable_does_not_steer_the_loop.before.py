# test: frame=kernel
# names that are assigned again
# a loop variable does not steer the loop
for i in pl.range(2):
    i = i + 1
    pl.write(out, [0, i], 30)
