# test: frame=simplify
# what an inner loop defines for behind both is carried by both
for j in pl.range(4):
    for k in pl.range(4):
        z = j + k
pl.test.use(z)
