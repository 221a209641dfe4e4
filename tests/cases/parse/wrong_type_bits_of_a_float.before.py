# test: frame=bare_kernel
# only integers have bits to move
y = f << 1.0
