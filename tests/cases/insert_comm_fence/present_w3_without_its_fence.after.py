self.helper(win_a)
pl.system.cacheinvalid()
pl.system.fence()
pl.system.cacheinvalid()
