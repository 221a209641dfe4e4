/* SPDX-License-Identifier: MIT */
/* Instructions, registers and sites: what every front end emits through. */
#include "isa/builder.h"

#include <inttypes.h>
#include <string.h>

struct insn build_like(const struct builder *b)
{
    struct insn like = INSN_BLANK;
    like.origin = (uint8_t)b->origin;
    like.site = b->site;
    like.loop = b->in_loop;
    like.span = b->pinned ? *b->pinned : b->span;
    like.what = b->library && b->what && b->what != b->library
                    ? arena_printf(b->arena, "%s: %s", b->library, b->what)
                    : b->what;
    return like;
}

struct insn build_insn(const struct builder *b, enum insn_op op)
{
    return insn_make(build_like(b), op);
}

int build_emit(struct builder *b, struct insn i)
{
    struct gm_use nothing = {.root = NO_REG};
    vec_push(b->arena, &b->code, i);
    vec_push(b->arena, &b->gm_uses, nothing);
    return (int)b->code.len - 1;
}

void build_accesses(struct builder *b, int root, bool peer)
{
    b->gm_uses.items[b->gm_uses.len - 1] = (struct gm_use){root, peer};
}

int build_reg(struct builder *b, const char *name)
{
    vec_push(b->arena, &b->reg_names, name);
    return (int)b->reg_names.len - 1;
}

struct operand build_alu(struct builder *b, enum alu op, struct operand x, struct operand y)
{
    if (x.reg == NO_REG && y.reg == NO_REG)
        return imm_operand(alu_eval(op, x.imm, y.imm, ELEM_I64, ELEM_I64));
    bool swap = x.reg == NO_REG && (op == ALU_ADD || op == ALU_MUL);
    if (swap)
        return build_alu(b, op, y, x);
    bool neutral =
        ((op == ALU_ADD || op == ALU_SUB) && y.imm == 0) || (op == ALU_MUL && y.imm == 1);
    if (y.reg == NO_REG && neutral)
        return x;
    struct insn i = build_insn(b, I_ALU);
    i.sub = (uint8_t)op;
    i.ra = x.reg;
    i.imm2 = x.imm;
    i.rb = y.reg;
    i.imm = y.imm;
    i.rd = build_reg(b, NULL);
    build_emit(b, i);
    return reg_operand(i.rd);
}

void build_move(struct builder *b, int rd, struct operand o)
{
    struct insn i = build_insn(b, o.reg == NO_REG ? I_LI : I_MOV);
    i.rd = rd;
    i.ra = o.reg;
    i.imm = o.imm;
    build_emit(b, i);
}

int build_in_reg(struct builder *b, struct operand o)
{
    if (o.reg != NO_REG)
        return o.reg;
    int rd = build_reg(b, NULL);
    build_move(b, rd, o);
    return rd;
}

int build_tile(struct builder *b, struct tile t, bool accumulator)
{
    struct tile_valid whole = {imm_operand(t.rows), imm_operand(t.cols), false};
    vec_push(b->arena, &b->tiles, t);
    vec_push(b->arena, &b->tile_valid, whole);
    vec_push(b->arena, &b->accumulators, accumulator);
    return (int)b->tiles.len - 1;
}

int build_branch(struct builder *b, enum insn_op op, int cond)
{
    struct insn i = build_insn(b, op);
    i.ra = cond;
    return build_emit(b, i);
}

void build_branch_to(struct builder *b, enum insn_op op, int cond, int target)
{
    int at = build_branch(b, op, cond);
    b->code.items[at].imm = target;
}

int build_here(const struct builder *b)
{
    return (int)b->code.len;
}

struct operation_code *build_operation(struct builder *b, enum operation_kind kind)
{
    struct operation_code o = {
        .kind = kind, .first = build_here(b), .end = build_here(b), .flows = (int)b->flows.len};
    vec_push(b->arena, &b->operations, o);
    return &b->operations.items[b->operations.len - 1];
}

void build_operation_end(struct builder *b)
{
    b->operations.items[b->operations.len - 1].end = build_here(b);
}

void build_patch_here(struct builder *b, int branch)
{
    b->code.items[branch].imm = build_here(b);
}

int build_site_begin(struct builder *b, const char *what, int marker)
{
    int id = (int)b->sites.len;
    struct site s = {.origin = b->origin,
                     .marker = marker < 0 ? id : marker,
                     .what = what,
                     .span = b->pinned ? *b->pinned : b->span,
                     .anchor = b->anchor,
                     .func = b->function};
    vec_push(b->arena, &b->sites, s);
    b->site = id;
    return id;
}

void build_site_end(struct builder *b)
{
    b->site = -1;
}

struct operand build_copy_reg(struct builder *b, struct operand o)
{
    int copy = build_reg(b, NULL);
    build_move(b, copy, o);
    return reg_operand(copy);
}

void build_barrier(struct builder *b, enum pipe pipe)
{
    build_emit(b, insn_barrier(build_like(b), pipe));
}

void build_simple(struct builder *b, enum insn_op op)
{
    build_emit(b, build_insn(b, op));
}

void build_steps(struct builder *b, const struct macro_step *steps, int n, bool one_marker)
{
    int marker = -1;
    for (int k = 0; k < n; k++) {
        struct insn i = steps[k].insn;
        if (steps[k].site && (k == 0 || steps[k].site != steps[k - 1].site)) {
            int site = build_site_begin(b, steps[k].site, marker);
            marker = one_marker && marker < 0 ? site : marker;
        }
        i.site = steps[k].site ? b->site : i.site;
        build_emit(b, i);
    }
    build_site_end(b);
}

void build_single(struct builder *b, enum origin_kind origin, struct insn i, const char *what)
{
    enum origin_kind outer = b->origin;
    b->origin = origin;
    build_site_begin(b, what, -1);
    i.origin = (uint8_t)origin;
    i.site = b->site;
    build_emit(b, i);
    build_site_end(b);
    b->origin = outer;
}

void build_step(struct builder *b, int reg, int64_t step)
{
    struct insn i = build_insn(b, I_ALU);
    i.sub = ALU_ADD;
    i.rd = i.ra = reg;
    i.imm = step;
    build_emit(b, i);
}

int build_begin_count(struct builder *b, int *at, struct operand end)
{
    *at = build_reg(b, NULL);
    build_move(b, *at, imm_operand(0));
    return build_branch(b, I_BZ, build_alu(b, ALU_LT, reg_operand(*at), end).reg);
}

void build_end_count(struct builder *b, int at, int leave, int64_t step)
{
    build_step(b, at, step);
    build_branch_to(b, I_JMP, NO_REG, leave - 1); /* the comparison */
    build_patch_here(b, leave);
}

struct operand build_plus(struct builder *b, struct operand addr, struct operand delta)
{
    struct operand sum = build_alu(b, ALU_ADD, reg_operand(addr.reg), delta);
    sum.imm = addr.imm;
    return sum;
}

struct operand build_scaled(struct builder *b, struct operand o, int64_t factor)
{
    return build_alu(b, ALU_MUL, o, imm_operand(factor));
}

/* ---- the program ---- */

static bool adds_floats(const struct builder *b)
{
    vec_foreach (const struct dma, d, &b->dmas)
        if (d->atomic_add && (d->elem == ELEM_F32 || d->elem == ELEM_F16 || d->elem == ELEM_BF16))
            return true;
    return false;
}

struct code *build_code(struct builder *b)
{
    struct code *c = arena_new(b->arena, struct code);
    *c = (struct code){.insns = b->code.items,
                       .count = (int)b->code.len,
                       .nregs = (int)b->reg_names.len,
                       .dmas = b->dmas.items,
                       .ndmas = (int)b->dmas.len,
                       .tile_ops = b->tile_ops.items,
                       .ntile_ops = (int)b->tile_ops.len,
                       .tiles = b->tiles.items,
                       .ntiles = (int)b->tiles.len,
                       .tile_bytes = b->tile_bytes,
                       .reg_names = b->reg_names.items,
                       .loops = b->loops.items,
                       .nloops = (int)b->loops.len};
    return c;
}

struct program *build_program(struct builder *b, const char *name, const struct source *source,
                              int nranks)
{
    struct program *p = arena_new(b->arena, struct program);
    *p = (struct program){.name = name,
                          .source = source,
                          .nranks = nranks,
                          .regions = b->regions.items,
                          .nregions = (int)b->regions.len,
                          .float_adds = adds_floats(b),
                          .sites = b->sites.items,
                          .nsites = (int)b->sites.len,
                          .tasks = b->tasks.items,
                          .ntasks = (int)b->tasks.len,
                          .arena = b->arena};
    return p;
}

int *build_task_entries(const struct builder *b)
{
    int *entries = arena_array(b->arena, int, b->tasks.len + 1);
    for (size_t i = 0; i < b->code.len; i++)
        if (b->code.items[i].op == I_TASK)
            entries[b->code.items[i].imm] = (int)i;
    return entries;
}

uint64_t build_lay_out(struct region *r, size_t n, int window_align)
{
    uint64_t at = 0, window = window_align ? (uint64_t)window_align : CACHE_LINE;
    for (size_t i = 0; i < n; i++) {
        r[i].offset = at = align_up(at, r[i].kind == REGION_WINDOW ? window : CACHE_LINE);
        at += r[i].size;
    }
    return at;
}

bool build_memory_bytes(uint64_t used, int nranks, const struct source *source, uint64_t *bytes,
                        struct diag *d)
{
    *bytes = align_up(used, 256) + 256;
    return *bytes * (uint64_t)nranks <= MAX_MEMORY ||
           diag_error(d, source, (struct span){0},
                      "needs %" PRIu64
                      " bytes of memory on each of %d ranks; the machine holds %d in all",
                      *bytes, nranks, MAX_MEMORY);
}

enum { PERIOD = 7 }; /* elements */

int64_t build_pattern(enum elem e, uint64_t i, int rank)
{
    return alu_eval(ALU_CVT, (int64_t)((5 * i + 3 * (uint64_t)rank) % PERIOD + 1), 0, ELEM_I64, e);
}

void build_fill_region(const struct region *r, bool input, uint8_t *memory, int rank)
{
    uint64_t size = (uint64_t)elem_size(r->elem), bytes = r->size / size * size, filled = 0;
    uint8_t *at = memory + r->offset;
    if (r->uninitialised)
        memset(at, UNINITIALISED_BYTE, r->size);
    for (; input && filled < bytes && filled < PERIOD * size; filled += size) {
        int64_t bits = build_pattern(r->elem, filled / size, rank);
        memcpy(at + filled, &bits, size);
    }
    for (uint64_t n; input && filled < bytes; filled += n) { /* it repeats itself */
        n = filled < bytes - filled ? filled : bytes - filled;
        memcpy(at + filled, at, n);
    }
}

void build_fill_ctx(uint8_t *ctx, int rank, int nranks, const uint64_t *bases)
{
    uint64_t pair = (uint64_t)(uint32_t)rank | (uint64_t)nranks << 32;
    memcpy(ctx + CTX_RANK_SLOT, &pair, sizeof pair);
    memcpy(ctx + CTX_WINDOWS, bases, sizeof *bases * (size_t)nranks);
}
