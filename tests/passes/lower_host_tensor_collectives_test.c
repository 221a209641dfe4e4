/* SPDX-License-Identifier: MIT */
#include "ir/ops.h"
#include "tests/passes/transform_rig.h"

Test(lower_host, every_collective_has_a_builtin)
{
    static const char prefix[] = "pld.tensor.";
    struct arena a = {0};
    for (size_t i = 0; i < ir_op_count(); i++) {
        const char *name = ir_op_at(i)->name;
        if (ir_op_at(i)->effect != IR_EFFECT_COLLECTIVE)
            continue;
        cr_assert(strncmp(name, prefix, sizeof prefix - 1) == 0, "%s", name);
        const char *builtin = arena_printf(&a, "builtin.tensor.%s", name + sizeof prefix - 1);
        cr_expect(ir_op_find(builtin), "%s", builtin);
    }
    arena_free(&a);
}
