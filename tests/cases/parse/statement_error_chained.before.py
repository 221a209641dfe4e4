# test: frame=bare_kernel
# chained (pypto-front-facts 2.1)
y = z = i
