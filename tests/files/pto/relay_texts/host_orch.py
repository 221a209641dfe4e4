# What hands the relay its windows: a flag of 32 bytes, then data, then the signal.
def relay_program(orch, _args, config, *, tensors, callables, sub_ids, _keep, world_size, _domain_provider=None):
    ROWS = tensors["x__ssa_v0"].shape[1]
    with (_domain_provider or orch.allocate_domain)(
        name="comm_d0",
        workers=[*range(world_size)],
        window_size=((((4 + 31) // 32) * 32)) + ((((512 + 31) // 32) * 32)) + ((((4 + 31) // 32) * 32)),
        buffers=[
            CommBufferSpec(name="flag_buf__ssa_v0", dtype="opaque", count=4, nbytes=(((4 + 31) // 32) * 32)),
            CommBufferSpec(name="data_buf__ssa_v0", dtype="opaque", count=512, nbytes=(((512 + 31) // 32) * 32)),
            CommBufferSpec(name="sig_buf__ssa_v0", dtype="opaque", count=4, nbytes=(((4 + 31) // 32) * 32)),
        ],
    ) as __comm_d0:
        t__tmp_v0 = world_size
        for rank__idx_v0 in range(0, t__tmp_v0, 1):
            tensors["t__tmp_v1"] = tensors["x__ssa_v0"][rank__idx_v0, 0:ROWS, 0:64]
            _ta_0 = TaskArgs()
            _ta_0.add_tensor(__comm_d0[rank__idx_v0].buffers["data_buf__ssa_v0"].tensor(shapes=(2, 64), dtype=DataType.FLOAT32), TensorArgType.OUTPUT_EXISTING)
            _ta_0.add_tensor(__comm_d0[rank__idx_v0].buffers["sig_buf__ssa_v0"].tensor(shapes=(1, 1), dtype=DataType.INT32), TensorArgType.INOUT)
            _ta_0.add_tensor(make_tensor_arg(orch._worker, tensors["t__tmp_v1"]), TensorArgType.INPUT)
            _ta_0.add_tensor(make_tensor_arg(orch._worker, tensors["__comm_d0_ord"][rank__idx_v0]), TensorArgType.INOUT)
            _ta_0.add_scalar(rank__idx_v0)
            _ta_0.add_scalar(__comm_d0[rank__idx_v0].device_ctx)
            _ta_0.add_scalar(__comm_d0[rank__idx_v0].device_ctx)
            _keep.append(_ta_0)
            _submit_chip(orch, callables["relay"], _ta_0, config, rank__idx_v0)
