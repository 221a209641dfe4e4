# test: frame=kernel
# the runtime's poll, past the cache and without a sign, in the place of the registration (pypto-ops-facts 5.1); 0 is
# what is there. In front of code generation ExpandMixedKernel holds it to be a task of its own
pld.system.defer_wait(sig, [1, 0], 0, cmp=1)
