# test: frame=bare_kernel
# bare return
return
