/* SPDX-License-Identifier: MIT */
/* Markers, the kernel's own events and barriers, and what code generation adds of them. */
#include <string.h>

#include "codegen/internal.h"

/* ---- beside macros and remote stores ---- */

void gen_peer_cacheinvalid(struct gen *g, struct operand addr)
{
    if (g->library)
        return;
    enum origin_kind origin = g->origin;
    g->origin = ORIGIN_CODEGEN;
    gen_site_begin(g, "peer cacheinvalid", -1);
    gen_emit(g, insn_access(gen_like(g), I_DCCI, addr, ELEM_I8, -1));
    gen_site_end(g);
    g->origin = origin;
}

void gen_extra_barrier(struct gen *g, int kind, const char *what)
{
    static const enum pipe pipes[] = {
        [EXTRA_PIPE_V] = PIPE_V, [EXTRA_PIPE_MTE3] = PIPE_MTE3, [EXTRA_PIPE_ALL] = PIPE_ALL};
    if (kind == EXTRA_NONE || g->library)
        return;
    enum origin_kind origin = g->origin;
    g->origin = ORIGIN_CODEGEN;
    gen_site_begin(g, what, -1);
    gen_barrier(g, pipes[kind]);
    gen_site_end(g);
    g->origin = origin;
}

/* ---- the kernel's own ---- */

static void region_lines(struct gen *g, struct operand addr, struct operand bytes)
{
    struct insn i = insn_access(gen_like(g), I_DCCI, addr, ELEM_I8, -1);
    if (g->library || g->opt->toolchain->region_cacheinvalid == REGION_BASE_LINE) {
        gen_emit(g, i);
        return;
    }
    /* for (p = base aligned down; p < end; p += line) dcci [p] */
    struct operand base = gen_alu(g, ALU_ADD, reg_operand(addr.reg), imm_operand(addr.imm));
    int p = gen_reg(g, NULL);
    struct operand end = gen_alu(g, ALU_ADD, base, bytes);
    gen_move(g, p, gen_alu(g, ALU_AND, base, imm_operand(-CACHE_LINE)));
    int top = gen_here(g);
    i.ra = p;
    i.imm = 0;
    gen_emit(g, i);
    gen_step(g, p, CACHE_LINE);
    struct operand more = gen_alu(g, ALU_LT, reg_operand(p), end);
    gen_branch_to(g, I_BNZ, more.reg, top);
}

/* From the first to behind the last byte of a region with those extents. */
static bool region_bytes(struct gen *g, const struct tensor *t, const ir_exprs *shape,
                         struct operand *bytes)
{
    *bytes = imm_operand(elem_size(t->elem));
    for (int i = 0; i < t->ndims; i++) {
        struct operand extent;
        if (!gen_int(g, shape->items[i], &extent))
            return false;
        struct operand more = gen_alu(g, ALU_MUL, gen_alu(g, ALU_SUB, extent, imm_operand(1)),
                                      imm_operand(t->stride[i] * elem_size(t->elem)));
        *bytes = gen_alu(g, ALU_ADD, *bytes, more);
    }
    return true;
}

struct value gen_cacheinvalid(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    if (e->call.args.len == 0) {
        gen_site_begin(g, "cacheinvalid all", -1);
        gen_simple(g, I_DCCI_ALL);
        gen_site_end(g);
        return none;
    }
    const struct tensor *t = gen_tensor_arg(g, ir_call_arg(&e->call, "tensor"));
    const ir_exprs *at = t ? gen_tuple_arg(g, ir_call_arg(&e->call, "offsets"), t->ndims) : NULL;
    const ir_exprs *shape = at ? gen_tuple_arg(g, ir_call_arg(&e->call, "shapes"), t->ndims) : NULL;
    bool nothing = g->opt->toolchain->region_cacheinvalid == REGION_NOTHING && !g->library;
    if (!shape || nothing)
        return none;
    struct operand bytes;
    gen_site_begin(g, "region cacheinvalid", -1);
    if (region_bytes(g, t, shape, &bytes))
        region_lines(g, gen_element_address(g, t, at), bytes);
    gen_site_end(g);
    return none;
}

struct value gen_fence(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)e, (void)target;
    enum fence_form form = g->library ? FENCE_ALL : (enum fence_form)g->opt->toolchain->fence;
    bool cube = g->func && g->func->type == IR_FUNC_AIC;
    if (form == FENCE_ALL && cube) /* as the assembler has it (pto-facts 3.3) */
        form = FENCE_3;
    struct macro_step steps[MACRO_STEPS];
    gen_steps(g, steps, macro_fence(gen_like(g), form, steps), true);
    return none;
}

/* The kernel's own event between two pipes. */
struct value gen_event(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    /* As pl.PipeType counts them. */
    static const enum pipe pipes[] = {PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_M,
                                      PIPE_V,    PIPE_S,    PIPE_FIX};
    int64_t from = ir_call_int(&e->call, "set_pipe"), to = ir_call_int(&e->call, "wait_pipe"),
            id = ir_call_int(&e->call, "event_id"), n = sizeof pipes / sizeof *pipes;
    (void)target;
    if (from < 0 || from >= n || to < 0 || to >= n || from == to || id < 0 || id >= MAX_FLAG_IDS) {
        gen_error(g, e->span, "an event stands between two pipes and has a number below %d",
                  MAX_FLAG_IDS);
        return none;
    }
    bool set = !strcmp(e->call.op->name, "system.sync_src");
    enum insn_op op = set ? I_SET_FLAG : I_WAIT_FLAG;
    gen_site_begin(g, set ? "sync_src" : "sync_dst", -1);
    gen_emit(g, insn_flag(gen_like(g), op, pipes[from], pipes[to], (int)id));
    gen_site_end(g);
    return none;
}

struct value gen_bar(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const char *name = e->call.op->name;
    enum pipe pipe = !strcmp(name, "system.bar_v")   ? PIPE_V
                     : !strcmp(name, "system.bar_m") ? PIPE_M
                                                     : PIPE_ALL;
    gen_site_begin(g, name + strlen("system."), -1);
    gen_barrier(g, pipe);
    gen_site_end(g);
    return none;
}
