# test: frame=simplify
# nothing behind a scope that becomes a function makes a loop in it carry
with pl.at(level=pl.Level.CORE_GROUP):
    for j in pl.range(4):
        z = i + j
    z = i
pl.use(z)
