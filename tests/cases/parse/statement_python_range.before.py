# test: frame=bare_kernel
# Loops are the language's own: range() of Python is refused (pypto-front-facts 2.6).
for j in range(2):
    pass
