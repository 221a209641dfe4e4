# test: frame=insert_comm_fence unverified=call-argument
# pypto-facts 3.3
# condition that calls what nobody can see into
for src in pl.range(8):
    if self.helper(src) > 0:
        pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
