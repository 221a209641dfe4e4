# test: frame=bare_kernel
# one-line body
if b: return
