# test: frame=bare_kernel
# nothing
pass
