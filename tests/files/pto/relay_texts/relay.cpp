// What submits the tasks of the relay: publish, wait, a barrier, read.
#include <stdint.h>

#include "orchestration_api.h"

extern "C" {

__attribute__((visibility("default")))
OrchestrationConfig aicpu_orchestration_config(const ChipTaskArgs& orch_args) {
    (void)orch_args;
    return OrchestrationConfig{
        .expected_arg_count = 7,
    };
}

__attribute__((visibility("default")))
void aicpu_orchestration_entry(const ChipTaskArgs& orch_args) {
    // External tensors
    const Tensor& ext_data = orch_args.tensor(0).ref();
    const Tensor& ext_sig = orch_args.tensor(1).ref();

    // Scalar params
    int32_t tp_rank = from_u64<int32_t>(orch_args.scalar(0));
    uint64_t data_ctx = orch_args.scalar(1);
    uint64_t sig_ctx = orch_args.scalar(2);

    SIMPLER_SCOPE() {
        int64_t rows = (int64_t)orch_args.tensor(2).ref().shapes[0];
        uint32_t out_ci_shapes[2] = {static_cast<uint32_t>(rows), 64};
        TensorCreateInfo out_ci(out_ci_shapes, 2, DataType::FLOAT32);
        TaskOutputTensors alloc_0 = alloc_tensors(out_ci);
        const Tensor& out = alloc_0.get_ref(0);
        int32_t peer = ((tp_rank + 1) % static_cast<int32_t>(rows));

        // Task 0: publish
        CoreTaskArgs params_t0;
        params_t0.add_output(ext_data);
        params_t0.add_inout(ext_sig);
        params_t0.add_scalar(peer);
        params_t0.add_scalar(data_ctx);
        params_t0.add_scalar(sig_ctx);
        params_t0.set_allow_early_resolve(true);
        TaskOutputTensors task_0_outs = rt_submit_aiv_task(0, params_t0);
        TaskId push_tid = task_0_outs.task_id();

        // Task 1: wait
        CoreTaskArgs params_t1;
        params_t1.add_input(ext_sig);
        params_t1.add_scalar(sig_ctx);
        TaskId params_t1_deps[1];
        uint32_t params_t1_deps_count = 0;
        params_t1_deps[params_t1_deps_count++] = push_tid;
        params_t1.set_dependencies(params_t1_deps, params_t1_deps_count);
        TaskOutputTensors task_1_outs = rt_submit_aiv_task(1, params_t1);
        TaskId wait_tid = task_1_outs.task_id();

        // Phase-fence barrier 0: dependency-only dummy task
        CoreTaskArgs fence_0;
        TaskId fence_0_deps[1];
        uint32_t fence_0_deps_count = 0;
        fence_0_deps[fence_0_deps_count++] = wait_tid;
        fence_0.set_dependencies(fence_0_deps, fence_0_deps_count);
        TaskId late = TaskId::invalid();
        if (fence_0_deps_count > 0) {
            TaskOutputTensors fence_0_outs = rt_submit_dummy_task(fence_0);
            late = fence_0_outs.task_id();
        }

        // Spmd read_spmd: read
        CoreTaskArgs params_t2;
        params_t2.add_input(ext_data);
        params_t2.add_output(out);
        params_t2.add_scalar(data_ctx);
        params_t2.launch_spec.set_block_num(rows);
        TaskId params_t2_deps[1];
        uint32_t params_t2_deps_count = 0;
        if (late.is_valid()) params_t2_deps[params_t2_deps_count++] = late;
        params_t2.set_dependencies(params_t2_deps, params_t2_deps_count);
        rt_submit_aiv_task(2, params_t2);
    }
}

}  // extern "C"
