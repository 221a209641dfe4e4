# test: frame=bare_kernel
# what only dumps and printed programs spell (pypto-facts 1.4, 1.6)
# yield inside a scope that is the whole body
for j, (a,) in pl.range(2, init_values=(n,)):
    with pl.scope():
        with pl.scope():
            r = pl.yield_(a)
