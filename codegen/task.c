/* SPDX-License-Identifier: MIT */
/* A kernel as a task of its own. */
#include "codegen/internal.h"

bool gen_task(struct gen *g, const struct ir_func *f)
{
    struct value unused;
    int first = build_task_begin(&g->build, g->library ? g->library : f->name, f->span);
    cross_begin_task(g);
    if (!gen_function_body(g, f, &unused) || !lanes_check_code(g, f, first))
        return false;
    g->func = f;
    cross_end_task(g);
    build_task_end(&g->build, f->name, f->span, first);
    g->func = NULL;
    return true;
}
