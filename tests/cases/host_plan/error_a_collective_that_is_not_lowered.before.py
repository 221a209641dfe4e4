# test: frame=host_plan ranks=1 passes=none
# a collective that is not lowered
    def main(self):
        with pl._dump.comm_domain(name='comm_d0', devices=[], slots=[pl._dump.window_buffer("buf_window", base="buf", size=32, load_from_host=False, store_to_host=False)]):
            buf: pl.Ptr = pld.tensor.alloc_window_buffer(32)
            w: pld.DistributedTensor[[1, 8], pl.INT32, pl._dump.window_ref("buf_window")] = pl._dump.call('pld.tensor.window', [buf, [1, 8]], pld.DistributedTensor[[1, 8], pl.INT32, pl._dump.window_ref("buf_window")], kwargs={"dtype": pl.INT32})
            self.one(w, device=0)
            pld.tensor.barrier(w)
