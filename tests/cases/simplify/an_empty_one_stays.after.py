if b:
    pass
if pl.cast(self.callee(n), pl.INDEX) < 0:
    pass
