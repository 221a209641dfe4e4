# test: frame=simplify
# a name that has a role keeps its base and its qualifier
t__tile = i + 1
t__l0_tmp_v3 = t__tile + 1
k__idx_v1 = t__l0_tmp_v3
k__idx_v1 = k__idx_v1 + 1
pl.test.use(k__idx_v1)
