# test: frame=kernel passes=all
# what only a branch that is never taken computes with is not loaded: it is gone before operators on tensors become
# operators on tiles, the first run of Simplify (pypto-front-facts 3)
if False:
    fout = pl.assemble(fout, pl.add(f, f), [0, 0])
else:
    pl.store(pl.load(x, [0, 0], [1, 16]), [0, 0], out)
