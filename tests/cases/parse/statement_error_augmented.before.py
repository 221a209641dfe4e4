# test: frame=bare_kernel
# augmented (pypto-front-facts 2.1)
y = i
y += 2
