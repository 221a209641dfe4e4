# test: frame=simplify
# not read behind a branch it has a result all the same
a = i
if b:
    a = i + 1
