# test: frame=bare_kernel
# parenthesised values
return (i, n)
