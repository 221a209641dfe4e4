/* SPDX-License-Identifier: MIT */
/* A task: what the toolchain puts before and behind the code of a kernel. */
#include "codegen/internal.h"

static void gen_entry(struct gen *g, const struct ir_func *f)
{
    g->origin = ORIGIN_ENTRY;
    g->span = f->span;
    g->what = g->library ? g->library : f->name;
    struct insn task = gen_insn(g, I_TASK);
    task.imm = (int64_t)g->tasks.len;
    vec_push(g->arena, &g->tasks, g->what);
    gen_emit(g, task);
    if (g->opt->toolchain->kernel_entry == ENTRY_DCCI_ALL) {
        gen_site_begin(g, "kernel entry: cacheinvalid all", -1);
        gen_simple(g, I_DCCI_ALL);
        gen_site_end(g);
    }
    g->origin = ORIGIN_USER;
}

static bool stores_by_scalar(const struct gen *g, int first)
{
    for (size_t i = (size_t)first; i < g->code.len; i++)
        if (g->code.items[i].op == I_ST && g->code.items[i].origin == ORIGIN_USER)
            return true;
    return false;
}

/*
 * What of the tail is due (pypto-ops-facts 5.2). As the assembler makes it: all of it behind scalar
 * stores; else the barrier, where its synchronisation pass ran. first: where the kernel's code
 * starts.
 */
static int tail_of(struct gen *g, int first)
{
    const struct toolchain *t = g->opt->toolchain;
    if (t->tail_cleans == TAIL_CLEANS_ALWAYS || stores_by_scalar(g, first))
        return t->kernel_tail;
    if (t->auto_sync && auto_sync_leaves_alone(g, first))
        return TAIL_NONE;
    return t->kernel_tail > TAIL_BARRIER ? TAIL_BARRIER : t->kernel_tail;
}

static void gen_tail(struct gen *g, const struct ir_func *f, int first)
{
    int kind = tail_of(g, first), marker = -1;
    g->origin = ORIGIN_TAIL;
    g->span = f->span;
    g->what = f->name;
    g->anchor = "end of kernel";
    g->func = f;
    if (kind >= TAIL_BARRIER) {
        marker = gen_site_begin(g, "kernel tail: barrier all", -1);
        gen_barrier(g, PIPE_ALL);
    }
    if (kind >= TAIL_BARRIER_DCCI) {
        gen_site_begin(g, "kernel tail: cacheinvalid all", marker);
        gen_simple(g, I_DCCI_ALL);
    }
    if (kind >= TAIL_BARRIER_DCCI_DSB) {
        gen_site_begin(g, "kernel tail: dsb", marker);
        gen_simple(g, I_DSB);
    }
    if (g->opt->toolchain->runtime_fin == FIN_DSB) {
        gen_site_begin(g, "runtime: dsb before the end is reported", -1);
        gen_simple(g, I_DSB);
    }
    gen_site_end(g);
    g->func = NULL;
    g->origin = ORIGIN_USER;
}

bool gen_task(struct gen *g, const struct ir_func *f)
{
    struct value unused;
    int first = gen_here(g);
    gen_entry(g, f);
    cross_begin_task(g);
    if (!gen_function_body(g, f, &unused) || !lanes_check_code(g, f, first))
        return false;
    g->func = f;
    cross_end_task(g);
    gen_tail(g, f, first);
    return true;
}
