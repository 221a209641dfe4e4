# test: frame=host_plan ranks=1 cores=3
# launches wait for those they name; blocks of one do not wait for each other
    def main(self, x: pl.Tensor[[1, 8], pl.INT32], y: pl.Out[pl.Tensor[[1, 8], pl.INT32]]):
        buf = pld.alloc_window_buffer(32)
        w = pld.window(buf, [1, 8], dtype=pl.INT32)
        self.launch(w, x, y, device=0)
