if b:
    pass
if self.callee(n) < 0:
    pass
