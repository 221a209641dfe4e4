/* SPDX-License-Identifier: MIT */
/* Instructions, registers, tiles and sites: what every part of code generation emits through. */
#include <string.h>

#include "codegen/internal.h"

struct insn gen_like(const struct gen *g)
{
    struct insn like = INSN_BLANK;
    like.origin = (uint8_t)g->origin;
    like.site = g->site;
    like.loop = g->in_loop;
    like.span = g->pinned ? *g->pinned : g->span;
    like.what = g->library && g->what && g->what != g->library
                    ? arena_printf(g->arena, "%s: %s", g->library, g->what)
                    : g->what;
    return like;
}

struct insn gen_insn(const struct gen *g, enum insn_op op)
{
    return insn_make(gen_like(g), op);
}

int gen_emit(struct gen *g, struct insn i)
{
    struct gm_use nothing = {.root = NO_REG};
    vec_push(g->arena, &g->code, i);
    vec_push(g->arena, &g->gm_uses, nothing);
    return (int)g->code.len - 1;
}

void gen_accesses(struct gen *g, const struct tensor *t, bool peer)
{
    g->gm_uses.items[g->gm_uses.len - 1] = (struct gm_use){t->root, peer};
}

int gen_reg(struct gen *g, const char *name)
{
    vec_push(g->arena, &g->reg_names, name);
    return (int)g->reg_names.len - 1;
}

struct operand gen_alu(struct gen *g, enum alu op, struct operand x, struct operand y)
{
    if (x.reg == NO_REG && y.reg == NO_REG)
        return imm_operand(alu_eval(op, x.imm, y.imm, ELEM_I64, ELEM_I64));
    bool swap = x.reg == NO_REG && (op == ALU_ADD || op == ALU_MUL);
    if (swap)
        return gen_alu(g, op, y, x);
    bool neutral =
        ((op == ALU_ADD || op == ALU_SUB) && y.imm == 0) || (op == ALU_MUL && y.imm == 1);
    if (y.reg == NO_REG && neutral)
        return x;
    struct insn i = gen_insn(g, I_ALU);
    i.sub = (uint8_t)op;
    i.ra = x.reg;
    i.imm2 = x.imm;
    i.rb = y.reg;
    i.imm = y.imm;
    i.rd = gen_reg(g, NULL);
    gen_emit(g, i);
    return reg_operand(i.rd);
}

void gen_move(struct gen *g, int rd, struct operand o)
{
    struct insn i = gen_insn(g, o.reg == NO_REG ? I_LI : I_MOV);
    i.rd = rd;
    i.ra = o.reg;
    i.imm = o.imm;
    gen_emit(g, i);
}

int gen_in_reg(struct gen *g, struct operand o)
{
    if (o.reg != NO_REG)
        return o.reg;
    int rd = gen_reg(g, NULL);
    gen_move(g, rd, o);
    return rd;
}

int gen_branch(struct gen *g, enum insn_op op, int cond)
{
    struct insn i = gen_insn(g, op);
    i.ra = cond;
    return gen_emit(g, i);
}

void gen_branch_to(struct gen *g, enum insn_op op, int cond, int target)
{
    int at = gen_branch(g, op, cond);
    g->code.items[at].imm = target;
}

int gen_here(const struct gen *g)
{
    return (int)g->code.len;
}

void gen_patch_here(struct gen *g, int branch)
{
    g->code.items[branch].imm = gen_here(g);
}

void gen_patch_all(struct gen *g, const struct patch_list *l)
{
    vec_foreach (int, at, &l->at)
        gen_patch_here(g, *at);
}

int gen_site_begin(struct gen *g, const char *what, int marker)
{
    int id = (int)g->sites.len;
    struct site s = {.origin = g->origin,
                     .marker = marker < 0 ? id : marker,
                     .what = what,
                     .span = g->pinned ? *g->pinned : g->span,
                     .anchor = g->anchor,
                     .func = g->func ? g->func->name : NULL};
    vec_push(g->arena, &g->sites, s);
    g->site = id;
    return id;
}

void gen_site_end(struct gen *g)
{
    g->site = -1;
}

static int add_tile(struct gen *g, struct tile t, enum ir_space s)
{
    struct tile_valid whole = {imm_operand(t.rows), imm_operand(t.cols), false};
    vec_push(g->arena, &g->tiles, t);
    vec_push(g->arena, &g->spaces, s);
    vec_push(g->arena, &g->tile_valid, whole);
    return (int)g->tiles.len - 1;
}

int gen_tile(struct gen *g, const char *name, int rows, int cols, enum elem elem, enum ir_space s)
{
    struct tile t = {
        .name = name, .rows = rows, .cols = cols, .elem = elem, .offset = g->tile_bytes};
    g->tile_bytes +=
        ((int64_t)rows * cols * elem_size(elem) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    return add_tile(g, t, s);
}

int gen_view(struct gen *g, const char *name, int of, struct tile layout)
{
    layout.name = name;
    layout.view_of = 1 + tile_home(g->tiles.items, of);
    layout.offset += g->tiles.items[of].offset;
    return add_tile(g, layout, g->spaces.items[of]);
}

struct operand gen_copy(struct gen *g, struct operand o)
{
    int copy = gen_reg(g, NULL);
    gen_move(g, copy, o);
    return reg_operand(copy);
}

void gen_set_valid(struct gen *g, int tile, struct operand rows, struct operand cols)
{
    struct tile_valid *v = &g->tile_valid.items[tile];
    if (!g->stores_parts)
        return;
    if (v->tracked) {
        gen_move(g, v->rows.reg, rows);
        gen_move(g, v->cols.reg, cols);
        return;
    }
    v->rows = rows.reg == NO_REG ? rows : gen_copy(g, rows);
    v->cols = cols.reg == NO_REG ? cols : gen_copy(g, cols);
}

void gen_set_whole(struct gen *g, int tile)
{
    const struct tile *t = &g->tiles.items[tile];
    gen_set_valid(g, tile, imm_operand(t->rows), imm_operand(t->cols));
}

void gen_track_valid(struct gen *g, int tile)
{
    struct tile_valid *v = &g->tile_valid.items[tile];
    if (v->tracked || !g->stores_parts)
        return;
    v->rows = gen_copy(g, v->rows);
    v->cols = gen_copy(g, v->cols);
    v->tracked = true;
}

void gen_barrier(struct gen *g, enum pipe pipe)
{
    gen_emit(g, insn_barrier(gen_like(g), pipe));
}

void gen_simple(struct gen *g, enum insn_op op)
{
    gen_emit(g, gen_insn(g, op));
}

void gen_steps(struct gen *g, const struct macro_step *steps, int n, bool one_marker)
{
    int marker = -1;
    for (int k = 0; k < n; k++) {
        struct insn i = steps[k].insn;
        if (steps[k].site && (k == 0 || steps[k].site != steps[k - 1].site)) {
            int site = gen_site_begin(g, steps[k].site, marker);
            marker = one_marker && marker < 0 ? site : marker;
        }
        i.site = steps[k].site ? g->site : i.site;
        gen_emit(g, i);
    }
    gen_site_end(g);
}

void gen_step(struct gen *g, int reg, int64_t step)
{
    struct insn i = gen_insn(g, I_ALU);
    i.sub = ALU_ADD;
    i.rd = i.ra = reg;
    i.imm = step;
    gen_emit(g, i);
}

int gen_begin_count(struct gen *g, int *at, struct operand end)
{
    *at = gen_reg(g, NULL);
    gen_move(g, *at, imm_operand(0));
    return gen_branch(g, I_BZ, gen_alu(g, ALU_LT, reg_operand(*at), end).reg);
}

void gen_end_count(struct gen *g, int at, int leave, int64_t step)
{
    gen_step(g, at, step);
    gen_branch_to(g, I_JMP, NO_REG, leave - 1); /* the comparison */
    gen_patch_here(g, leave);
}
