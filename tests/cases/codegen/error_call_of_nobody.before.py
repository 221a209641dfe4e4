# test: frame=kernel
# call of nobody
self.missing(n)
