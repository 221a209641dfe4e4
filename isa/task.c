/* SPDX-License-Identifier: MIT */
/* A task: what the toolchain puts before and behind the code of a kernel. */
#include "isa/builder.h"

int build_task_begin(struct builder *b, const char *name, struct span at)
{
    int first = build_here(b);
    b->origin = ORIGIN_ENTRY;
    b->span = at;
    b->what = name;
    struct insn task = build_insn(b, I_TASK);
    task.imm = (int64_t)b->tasks.len;
    vec_push(b->arena, &b->tasks, b->what);
    build_emit(b, task);
    if (b->toolchain->kernel_entry == ENTRY_DCCI_ALL) {
        build_site_begin(b, "kernel entry: cacheinvalid all", -1);
        build_simple(b, I_DCCI_ALL);
        build_site_end(b);
    }
    b->origin = ORIGIN_USER;
    return first;
}

static bool stores_by_scalar(const struct builder *b, int first)
{
    for (size_t i = (size_t)first; i < b->code.len; i++)
        if (b->code.items[i].op == I_ST && b->code.items[i].origin == ORIGIN_USER)
            return true;
    return false;
}

/*
 * What of the tail is due (pypto-ops-facts 5.2). As the assembler makes it: all of it behind scalar
 * stores; else the barrier, where its synchronisation pass ran. first: where the kernel's code
 * starts.
 */
static int tail_of(struct builder *b, int first)
{
    const struct toolchain *t = b->toolchain;
    if (t->tail_cleans == TAIL_CLEANS_ALWAYS || stores_by_scalar(b, first))
        return t->kernel_tail;
    if (t->auto_sync && auto_sync_leaves_alone(b, first))
        return TAIL_NONE;
    return t->kernel_tail > TAIL_BARRIER ? TAIL_BARRIER : t->kernel_tail;
}

void build_task_end(struct builder *b, const char *function, struct span at, int first)
{
    int kind = tail_of(b, first), marker = -1;
    b->origin = ORIGIN_TAIL;
    b->span = at;
    b->what = function;
    b->anchor = "end of kernel";
    b->function = function;
    if (kind >= TAIL_BARRIER) {
        marker = build_site_begin(b, "kernel tail: barrier all", -1);
        build_barrier(b, PIPE_ALL);
    }
    if (kind >= TAIL_BARRIER_DCCI) {
        build_site_begin(b, "kernel tail: cacheinvalid all", marker);
        build_simple(b, I_DCCI_ALL);
    }
    if (kind >= TAIL_BARRIER_DCCI_DSB) {
        build_site_begin(b, "kernel tail: dsb", marker);
        build_simple(b, I_DSB);
    }
    if (b->toolchain->runtime_fin == FIN_DSB) {
        build_site_begin(b, "runtime: dsb before the end is reported", -1);
        build_simple(b, I_DSB);
    }
    build_site_end(b);
    b->function = NULL;
    b->origin = ORIGIN_USER;
}
