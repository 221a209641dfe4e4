# test: frame=host_plan ranks=1
# a loop without end
    def main(self):
        n = 1
        while n > 0:
            n = n + 1
