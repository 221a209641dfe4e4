# test: frame=insert_comm_fence unverified=op-placement
# pypto-facts 3.3
# bound that is no business of a core
for src in pl.range(pld.system.world_size()):
    pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
