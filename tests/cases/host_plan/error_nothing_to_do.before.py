# test: frame=host_plan ranks=2
# nothing to do
    def main(self):
        n = 1
