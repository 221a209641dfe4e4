# test: frame=bare_kernel
# a truth is no number
y = i + b
