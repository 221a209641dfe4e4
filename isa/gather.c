/* SPDX-License-Identifier: MIT */
#include "isa/gather.h"

/* ---- the flags inside of the macros ---- */

struct flag_pair {
    enum pipe from, to;
};

/* The library's own event. */
enum { MACRO_EVENT = 0 };

static void flag_pairs(struct builder *b, const struct flag_pair *pairs, size_t n)
{
    b->origin = ORIGIN_MACRO;
    for (size_t i = 0; i < n; i++) {
        struct insn like = build_like(b);
        const char *site = arena_printf(b->arena, "flag pair %s to %s", pipe_name(pairs[i].from),
                                        pipe_name(pairs[i].to));
        struct macro_step steps[2];
        for (int k = 0; k < 2; k++)
            steps[k] = (struct macro_step){insn_flag(like, k ? I_WAIT_FLAG : I_SET_FLAG,
                                                     pairs[i].from, pairs[i].to, MACRO_EVENT),
                                           site};
        build_steps(b, steps, 2, false);
    }
    b->origin = ORIGIN_USER;
}

static const struct flag_pair before_rows[] = {{PIPE_V, PIPE_S}, {PIPE_MTE3, PIPE_S}},
                              after_rows[] = {{PIPE_S, PIPE_MTE2},
                                              {PIPE_MTE2, PIPE_V},
                                              {PIPE_MTE2, PIPE_MTE3},
                                              {PIPE_S, PIPE_V},
                                              {PIPE_S, PIPE_MTE3}},
                              before_elements[] = {{PIPE_V, PIPE_S},
                                                   {PIPE_MTE3, PIPE_S},
                                                   {PIPE_MTE2, PIPE_S}},
                              after_elements[] = {{PIPE_S, PIPE_V},
                                                  {PIPE_S, PIPE_MTE2},
                                                  {PIPE_S, PIPE_MTE3}},
                              within_l1[] = {{PIPE_S, PIPE_MTE2}};

#define FLAG_PAIRS(b, pairs) flag_pairs(b, pairs, sizeof(pairs) / sizeof *(pairs))

/* ---- memory and indices ---- */

struct operand gather_count(struct builder *b, const struct gather_memory *m, int dims)
{
    struct operand n = imm_operand(1);
    for (int i = 0; i < dims; i++)
        n = build_alu(b, ALU_MUL, n, m->extent[i]);
    return n;
}

static struct insn tile_access(struct builder *b, enum insn_op op, int tile, struct operand element)
{
    struct insn i = build_insn(b, op);
    i.aux = tile;
    i.ra = element.reg;
    i.imm = element.imm;
    return i;
}

static struct operand tile_load(struct builder *b, int tile, struct operand element)
{
    struct insn i = tile_access(b, I_TILE_LD, tile, element);
    i.rd = build_reg(b, NULL);
    build_emit(b, i);
    return reg_operand(i.rd);
}

/* Byte offset of the element that is number `flat` in the order of the rows. */
static struct operand flat_offset(struct builder *b, const struct gather_memory *t,
                                  struct operand flat)
{
    struct operand sum = imm_operand(0);
    if (t->dense)
        return build_scaled(b, flat, elem_size(t->elem));
    for (int i = t->ndims - 1; i >= 0; i--) {
        struct operand extent = t->extent[i], at = i ? build_alu(b, ALU_MOD, flat, extent) : flat;
        flat = build_alu(b, ALU_FLOORDIV, flat, extent);
        sum = build_alu(b, ALU_ADD, build_scaled(b, at, t->stride[i] * elem_size(t->elem)), sum);
    }
    return sum;
}

static struct insn memory_access(struct builder *b, enum insn_op op, const struct gather_memory *t,
                                 struct operand element)
{
    struct operand offset = flat_offset(b, t, element), at = t->base;
    if (offset.reg == NO_REG) {
        at.imm += offset.imm;
    } else {
        at = build_alu(b, ALU_ADD, reg_operand(t->base.reg), offset);
        at.imm = t->base.imm;
    }
    return insn_access(build_like(b), op, at, t->elem, t->region);
}

static void emit_access(struct builder *b, struct insn i, const struct gather_memory *t)
{
    build_emit(b, i);
    build_accesses(b, t->use.root, t->use.peer);
}

static struct operand memory_load(struct builder *b, const struct gather_memory *t,
                                  struct operand element)
{
    struct insn load = memory_access(b, I_LD, t, element);
    load.rd = build_reg(b, NULL);
    emit_access(b, load, t);
    return reg_operand(load.rd);
}

/* An index has 32 bits without a sign. */
static struct operand index_at(struct builder *b, const struct gathering *m, struct operand element)
{
    struct operand raw =
        m->listed ? memory_load(b, m->listed, element) : tile_load(b, m->indices, element);
    struct operand index = build_alu(b, ALU_AND, raw, imm_operand(UINT32_MAX));
    if (m->beyond == BEYOND_CLAMP)
        return build_alu(b, ALU_MIN, index, build_alu(b, ALU_SUB, m->count, imm_operand(1)));
    return m->beyond == BEYOND_WRAP ? build_alu(b, ALU_MOD, index, m->count) : index;
}

/* Element [row, col] of a tile. */
static struct operand element_of(struct builder *b, int tile, int row, int col)
{
    return build_alu(b, ALU_ADD,
                     build_scaled(b, reg_operand(row), tile_pitch(&b->tiles.items[tile])),
                     reg_operand(col));
}

/* Goes to what is done with an index past the end, where that is something of its own. */
static int branch_beyond(struct builder *b, const struct gathering *m, struct operand index)
{
    return m->beyond == BEYOND_ZERO
               ? build_branch(b, I_BZ, build_alu(b, ALU_LT, index, m->count).reg)
               : -1;
}

/* ---- mgather ---- */

static void clear(struct builder *b, const struct gathering *m, struct operand element)
{
    build_emit(b, insn_with(tile_access(b, I_TILE_ST, m->tile, element), imm_operand(0)));
}

static void load_row(struct builder *b, const struct gathering *m, int row, struct operand index)
{
    const struct gather_memory *t = &m->memory;
    const struct tile *to = &b->tiles.items[m->tile];
    int64_t size = elem_size(t->elem), stride = t->stride[t->ndims - 2] * size;
    struct gm_rows r = {.addr = build_plus(b, t->base, build_scaled(b, index, stride)),
                        .rows = imm_operand(1),
                        .cols = m->cols,
                        .gm_stride = stride,
                        .elem = t->elem,
                        .region = t->region,
                        .use = t->use};
    struct operand place = build_scaled(b, reg_operand(row), tile_pitch(to) * size);
    struct dma *d = build_dma(b, I_MTE2, m->tile, &r);
    d->macro = true;
    d->placed = true;
    d->value = place;
}

static void gather_row(struct builder *b, const struct gathering *m, int row)
{
    struct operand index = index_at(b, m, reg_operand(row));
    int beyond = branch_beyond(b, m, index), col;
    load_row(b, m, row, index);
    if (beyond < 0)
        return;
    int done = build_branch(b, I_JMP, NO_REG);
    build_patch_here(b, beyond);
    int leave = build_begin_count(b, &col, m->cols);
    clear(b, m, element_of(b, m->tile, row, col));
    build_end_count(b, col, leave, 1);
    build_patch_here(b, done);
}

static void gather_element(struct builder *b, const struct gathering *m, int row, int col)
{
    struct operand index = index_at(b, m, element_of(b, m->indices, row, col)),
                   to = element_of(b, m->tile, row, col);
    int beyond = branch_beyond(b, m, index);
    struct operand value = memory_load(b, &m->memory, index);
    build_emit(b, insn_with(tile_access(b, I_TILE_ST, m->tile, to), value));
    if (beyond < 0)
        return;
    int done = build_branch(b, I_JMP, NO_REG);
    build_patch_here(b, beyond);
    clear(b, m, to);
    build_patch_here(b, done);
}

static void scatter_element(struct builder *b, const struct gathering *m, int row, int col)
{
    struct operand index = index_at(b, m, element_of(b, m->indices, row, col)),
                   bits = tile_load(b, m->tile, element_of(b, m->tile, row, col));
    struct insn store = memory_access(b, I_ST, &m->memory, index);
    emit_access(b, insn_with(store, bits), &m->memory);
}

static void each_element(struct builder *b, const struct gathering *m,
                         void (*move)(struct builder *b, const struct gathering *m, int row,
                                      int col))
{
    int row, col, last_row = build_begin_count(b, &row, m->rows),
                  last_col = build_begin_count(b, &col, m->cols);
    move(b, m, row, col);
    build_end_count(b, col, last_col, 1);
    build_end_count(b, row, last_row, 1);
}

/* ---- the macros ---- */

static void add_macro(struct builder *b, int first)
{
    vec_push(b->arena, &b->macros, ((struct macro_code){.first = first, .end = build_here(b)}));
}

void build_gather_rows(struct builder *b, const struct gathering *m)
{
    int row, first = build_here(b);
    FLAG_PAIRS(b, before_rows);
    int leave = build_begin_count(b, &row, m->rows);
    gather_row(b, m, row);
    build_end_count(b, row, leave, 1);
    FLAG_PAIRS(b, after_rows);
    add_macro(b, first);
}

static void move_elements(struct builder *b, const struct gathering *m,
                          void (*move)(struct builder *b, const struct gathering *m, int row,
                                       int col))
{
    int first = build_here(b);
    FLAG_PAIRS(b, before_elements);
    each_element(b, m, move);
    FLAG_PAIRS(b, after_elements);
    add_macro(b, first);
}

void build_gather_elements(struct builder *b, const struct gathering *m)
{
    move_elements(b, m, gather_element);
}

void build_scatter_elements(struct builder *b, const struct gathering *m)
{
    move_elements(b, m, scatter_element);
}

/* ---- into L1 ---- */

static void clear_tile(struct builder *b, int tile)
{
    struct tile_op op = {.kind = TILE_FILL,
                         .name = BUILD_COPY,
                         .pipe = PIPE_MTE2,
                         .dst = tile,
                         .scalar = imm_operand(0)};
    vec_push(b->arena, &b->tile_ops, op);
    struct insn i = build_insn(b, I_TILE_OP);
    i.aux = (int32_t)b->tile_ops.len - 1;
    build_emit(b, i);
}

/* What is not moved becomes 0, where an index past the end says so: the tile is cleared first. */
void build_gather_rows_to_l1(struct builder *b, const struct gathering *m)
{
    int row, first = build_here(b);
    if (m->beyond == BEYOND_ZERO)
        clear_tile(b, m->tile);
    int leave = build_begin_count(b, &row, m->rows);
    struct operand index = index_at(b, m, reg_operand(row));
    int beyond = branch_beyond(b, m, index);
    load_row(b, m, row, index);
    if (beyond >= 0)
        build_patch_here(b, beyond);
    build_end_count(b, row, leave, 1);
    FLAG_PAIRS(b, within_l1);
    add_macro(b, first);
}

static void store_element(struct builder *b, const struct gather_memory *t, struct operand element,
                          struct operand bits)
{
    emit_access(b, insn_with(memory_access(b, I_ST, t, element), bits), t);
}

/* Whole lines of the cache go to memory, where MTE2 reads. */
static void write_back(struct builder *b, const struct gather_memory *t, int64_t bytes)
{
    int at, leave = build_begin_count(b, &at, imm_operand(bytes));
    build_emit(b, insn_access(build_like(b), I_DCCI, build_plus(b, t->base, reg_operand(at)),
                              ELEM_I8, -1));
    build_end_count(b, at, leave, CACHE_LINE);
    build_simple(b, I_DSB);
}

/* The scratch tensor is cleared, filled in the order of the rows, and loaded as a whole. */
void build_gather_elements_to_l1(struct builder *b, const struct gathering *m,
                                 const struct gather_memory *scratch)
{
    int first = build_here(b);
    const struct tile *to = &b->tiles.items[m->tile];
    int64_t n = (int64_t)to->rows * to->cols;
    int at, row, col, leave = build_begin_count(b, &at, imm_operand(n));
    store_element(b, scratch, reg_operand(at), imm_operand(0));
    build_end_count(b, at, leave, 1);
    int last_row = build_begin_count(b, &row, m->rows),
        last_col = build_begin_count(b, &col, m->cols);
    struct operand place = element_of(b, m->tile, row, col), index = index_at(b, m, place);
    int beyond = branch_beyond(b, m, index);
    store_element(b, scratch, place, memory_load(b, &m->memory, index));
    if (beyond >= 0)
        build_patch_here(b, beyond);
    build_end_count(b, col, last_col, 1);
    build_end_count(b, row, last_row, 1);
    write_back(b, scratch, n * elem_size(to->elem));
    FLAG_PAIRS(b, within_l1);
    struct gm_rows r = {.addr = scratch->base,
                        .rows = imm_operand(to->rows),
                        .cols = imm_operand(to->cols),
                        .gm_stride = (int64_t)to->cols * elem_size(to->elem),
                        .elem = scratch->elem,
                        .region = scratch->region,
                        .use = scratch->use};
    build_dma(b, I_MTE2, m->tile, &r)->macro = true;
    add_macro(b, first);
}
