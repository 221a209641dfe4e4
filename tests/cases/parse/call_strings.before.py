# test: frame=bare_kernel
# strings
pl.note('a"b', "c'd", 'e\n\\')
