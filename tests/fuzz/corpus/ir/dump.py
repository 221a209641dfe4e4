def f(w: pld.DistributedTensor[[4], pl.FP32], b: pl.Scalar[pl.BOOL], n: pl.Scalar[pl.INDEX]):
    with pl._dump.comm_domain(name='d', devices=[0], slots=[pl._dump.window_buffer(0, base="m", size=n + 4)]):
        m = pl._dump.alloc_window_buffer(16, name='x')
        v: pld.DistributedTensor[[4], pl.FP32, pl._dump.window_ref(0)] = pl._dump.call('tensor.view', [w, [4]], pld.DistributedTensor[[4], pl.FP32])
        y = pl.const(pl._dump.float64("7ff8000000000000"), pl.FP16)
        z = pl._dump.logical_xor(n, b) ^ b
    for i, (a,) in pl.range(n, init_values=(n,)):
        with pl.scope():
            r = pl.yield_(a)
    for k in pl.spmd(2):
        with pl.at(level=1) as t:
            pl.m(t, k)
def g():
    ...
