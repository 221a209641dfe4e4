# test: frame=host_plan ranks=1
# a value that nothing uses, and no dispatch
    def main(self):
        n = 1
        m = 4 // (n - n)
