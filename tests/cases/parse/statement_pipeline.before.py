# test: frame=bare_kernel
# pipeline
for j in pl.pipeline(i, stage=2):
    pass
