/* SPDX-License-Identifier: MIT */
#include "ir/verify.h"
#include "tests/passes/transform_rig.h"

/* Kernels of the compiler's own printing have their contexts already. */
Test(dist_tensor_ctx, printed_kernels_have_their_contexts)
{
    static const char *const kernels[] = {"mesh_allreduce_ssa", "notify_wait_tag_ssa",
                                          "remote_store_push_ssa"};
    static const char *const run[] = {"MaterializeDistTensorCtx"};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const struct source *src =
            source_read(&a, arena_printf(&a, "kernels/%s.py", kernels[i]), &d);
        cr_assert(src, "%s", diag_text(&d, &a));
        const struct ir_program *p = transform_parse(&a, kernels[i], src->text),
                                *out = transform_run(&a, kernels[i], p, run, 1);
        cr_expect(verify_property(out, IR_PROPERTY_DIST_TENSOR_CTX, &d), "%s", diag_text(&d, &a));
        cr_expect_eq(out->funcs.items[0]->params.len, p->funcs.items[0]->params.len, "%s",
                     kernels[i]);
        arena_free(&a);
    }
}
