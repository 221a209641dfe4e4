/* SPDX-License-Identifier: MIT */
/* The functions of isa/builder.h for code generation: a generator is a builder, and more. */
#ifndef CODEGEN_EMIT_H
#define CODEGEN_EMIT_H

#include "codegen/internal.h"

static inline struct insn gen_like(const struct gen *g)
{
    return build_like(&g->build);
}
static inline struct insn gen_insn(const struct gen *g, enum insn_op op)
{
    return build_insn(&g->build, op);
}
static inline int gen_emit(struct gen *g, struct insn i)
{
    return build_emit(&g->build, i);
}
static inline int gen_reg(struct gen *g, const char *name)
{
    return build_reg(&g->build, name);
}
static inline struct operand gen_alu(struct gen *g, enum alu op, struct operand x, struct operand y)
{
    return build_alu(&g->build, op, x, y);
}
static inline int gen_in_reg(struct gen *g, struct operand o)
{
    return build_in_reg(&g->build, o);
}
static inline void gen_move(struct gen *g, int rd, struct operand o)
{
    build_move(&g->build, rd, o);
}
static inline struct operand gen_copy(struct gen *g, struct operand o)
{
    return build_copy_reg(&g->build, o);
}
static inline int gen_branch(struct gen *g, enum insn_op op, int cond)
{
    return build_branch(&g->build, op, cond);
}
static inline void gen_branch_to(struct gen *g, enum insn_op op, int cond, int target)
{
    build_branch_to(&g->build, op, cond, target);
}
static inline void gen_patch_here(struct gen *g, int branch)
{
    build_patch_here(&g->build, branch);
}
static inline int gen_here(const struct gen *g)
{
    return build_here(&g->build);
}
static inline int gen_site_begin(struct gen *g, const char *what, int marker)
{
    return build_site_begin(gen_builder(g), what, marker);
}
static inline void gen_site_end(struct gen *g)
{
    build_site_end(&g->build);
}
static inline void gen_barrier(struct gen *g, enum pipe pipe)
{
    build_barrier(&g->build, pipe);
}
static inline void gen_simple(struct gen *g, enum insn_op op)
{
    build_simple(&g->build, op);
}
static inline void gen_step(struct gen *g, int reg, int64_t step)
{
    build_step(&g->build, reg, step);
}
static inline int gen_begin_count(struct gen *g, int *at, struct operand end)
{
    return build_begin_count(&g->build, at, end);
}
static inline void gen_end_count(struct gen *g, int at, int leave, int64_t step)
{
    build_end_count(&g->build, at, leave, step);
}
static inline void gen_steps(struct gen *g, const struct macro_step *steps, int n, bool one_marker)
{
    build_steps(gen_builder(g), steps, n, one_marker);
}
static inline struct operand gen_scaled(struct gen *g, struct operand o, int64_t factor)
{
    return build_scaled(&g->build, o, factor);
}
static inline struct operand gen_plus(struct gen *g, struct operand addr, struct operand delta)
{
    return build_plus(&g->build, addr, delta);
}
/* The instruction emitted last accesses t, or a peer's copy of it. */
static inline void gen_accesses(struct gen *g, const struct tensor *t, bool peer)
{
    build_accesses(&g->build, t->root, peer);
}

#endif
