# test: frame=kernel auto_sync=yes rows=1
# it changes no data, and its wait is over
c = pl.prefetch.make_context()
s = pl.prefetch.session(c)
e = pl.prefetch.async_prefetch(x[0:1, :], c)
done = pl.prefetch.wait(e, s)
pl.store(pl.load(x, [0, 0], [1, 16]), [0, 0], out)
if done:
    pl.write(out, [0, 1], 60)
