pld.system.notify(sig, n, [0, 0], 1, op=1)
pld.system.wait(sig, [0, 0], 1, cmp=1)
