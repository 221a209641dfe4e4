/* SPDX-License-Identifier: MIT */
/*
 * Rows and elements of a tensor at places that scalars or a tile of indices say. gather_row is one
 * transfer. mgather and mscatter are macros of the library (pto-facts 3.1): the scalar unit reads
 * the indices; a row is then moved by MTE2, an element by the scalar unit itself, through its cache.
 * Flags inside of them order it with the other pipes, but for the load of mgather's indices by rows:
 * that one is left to who calls it. Into L1, which the scalar unit does not reach, indices lie in
 * memory and are read through the cache; elements go by way of a scratch tensor.
 */
#include <string.h>

#include "codegen/internal.h"

/* ---- one transfer, to a place that scalars say ---- */

/* Bytes from the start of the tile to its element at. */
static struct operand place_in_tile(struct gen *g, int tile, const ir_exprs *at)
{
    const struct tile *to = &g->tiles.items[tile];
    int64_t size = elem_size(to->elem), steps[] = {tile_pitch(to) * size, size};
    struct operand sum = imm_operand(0), o;
    for (int i = 0; i < 2 && gen_int(g, at->items[i], &o); i++)
        sum = gen_alu(g, ALU_ADD, gen_scaled(g, o, steps[i]), sum);
    return sum;
}

static void set_place(struct dma *d, struct operand bytes)
{
    d->placed = bytes.reg != NO_REG;
    d->value = bytes;
    if (!d->placed)
        d->tile_offset = bytes.imm;
}

struct value gen_gather_row(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    const struct ir_expr *valid = ir_call_arg(&e->call, "valid_shape"),
                         *shape = ir_call_arg(&e->call, "shapes");
    const struct tensor *t = gen_tensor_arg(g, ir_call_arg(&e->call, "src"));
    const ir_exprs *at = t ? gen_tuple_arg(g, ir_call_arg(&e->call, "dst_offset"), 2) : NULL;
    struct region_arg r;
    if (!at || !gen_region(g, t, ir_call_arg(&e->call, "src_offset"), valid ? valid : shape, &r))
        return none;
    int tile = gen_shared_arg(g, ir_call_arg(&e->call, "dst"), target);
    if (g->d->failed || !gen_check_fits(g, tile, &r, e->span))
        return none;
    struct operand place = place_in_tile(g, tile, at);
    if (g->d->failed)
        return none;
    struct dma *d = gen_dma(g, I_MTE2, t, tile, &r);
    set_place(d, place);
    d->turned = ir_call_int(&e->call, "transpose");
    gen_set_whole(g, tile);
    return (struct value){.kind = VAL_TILE, .tile = tile};
}

/* ---- the flags inside of the macros ---- */

struct flag_pair {
    enum pipe from, to;
};

/* The library's own event. */
enum { MACRO_EVENT = 0 };

static void flag_pairs(struct gen *g, const struct flag_pair *pairs, size_t n)
{
    g->origin = ORIGIN_MACRO;
    for (size_t i = 0; i < n; i++) {
        struct insn like = gen_like(g);
        const char *site = arena_printf(g->arena, "flag pair %s to %s", pipe_name(pairs[i].from),
                                        pipe_name(pairs[i].to));
        struct macro_step steps[2];
        for (int k = 0; k < 2; k++)
            steps[k] = (struct macro_step){insn_flag(like, k ? I_WAIT_FLAG : I_SET_FLAG,
                                                     pairs[i].from, pairs[i].to, MACRO_EVENT),
                                           site};
        gen_steps(g, steps, 2, false);
    }
    g->origin = ORIGIN_USER;
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

#define FLAG_PAIRS(g, pairs) flag_pairs(g, pairs, sizeof(pairs) / sizeof *(pairs))

/* ---- indices ---- */

/* What becomes of an index past the end: as the keyword counts them. */
enum beyond { BEYOND_UNDEFINED, BEYOND_CLAMP, BEYOND_WRAP, BEYOND_ZERO };

struct gathering {
    const struct tensor *memory;
    int tile, indices;
    const struct tensor *listed; /* the indices, where they lie in memory */
    struct operand rows, cols;   /* of the tile's valid part */
    struct operand count;        /* what an index can be: rows or elements of the memory */
    enum beyond beyond;
};

static struct insn tile_access(struct gen *g, enum insn_op op, int tile, struct operand element)
{
    struct insn i = gen_insn(g, op);
    i.aux = tile;
    i.ra = element.reg;
    i.imm = element.imm;
    return i;
}

static struct operand tile_load(struct gen *g, int tile, struct operand element)
{
    struct insn i = tile_access(g, I_TILE_LD, tile, element);
    i.rd = gen_reg(g, NULL);
    gen_emit(g, i);
    return reg_operand(i.rd);
}

static struct operand memory_load(struct gen *g, const struct tensor *t, struct operand element)
{
    struct insn load = gen_scalar_access(g, I_LD, t, gen_flat_address(g, t, element));
    load.rd = gen_reg(g, NULL);
    gen_emit(g, load);
    gen_accesses(g, t, false);
    return reg_operand(load.rd);
}

/* An index has 32 bits without a sign. */
static struct operand index_at(struct gen *g, const struct gathering *m, struct operand element)
{
    struct operand raw =
        m->listed ? memory_load(g, m->listed, element) : tile_load(g, m->indices, element);
    struct operand index = gen_alu(g, ALU_AND, raw, imm_operand(UINT32_MAX));
    if (m->beyond == BEYOND_CLAMP)
        return gen_alu(g, ALU_MIN, index, gen_alu(g, ALU_SUB, m->count, imm_operand(1)));
    return m->beyond == BEYOND_WRAP ? gen_alu(g, ALU_MOD, index, m->count) : index;
}

/* Element [row, col] of a tile. */
static struct operand element_of(struct gen *g, int tile, int row, int col)
{
    return gen_alu(g, ALU_ADD, gen_scaled(g, reg_operand(row), tile_pitch(&g->tiles.items[tile])),
                   reg_operand(col));
}

/* Goes to what is done with an index past the end, where that is something of its own. */
static int branch_beyond(struct gen *g, const struct gathering *m, struct operand index)
{
    return m->beyond == BEYOND_ZERO ? gen_branch(g, I_BZ, gen_alu(g, ALU_LT, index, m->count).reg)
                                    : -1;
}

/* ---- mgather ---- */

static void clear(struct gen *g, const struct gathering *m, struct operand element)
{
    gen_emit(g, insn_with(tile_access(g, I_TILE_ST, m->tile, element), imm_operand(0)));
}

static void load_row(struct gen *g, const struct gathering *m, int row, struct operand index)
{
    const struct tensor *t = m->memory;
    const struct tile *to = &g->tiles.items[m->tile];
    int64_t size = elem_size(t->elem), stride = t->stride[t->ndims - 2] * size;
    struct region_arg r = {.addr = gen_plus(g, t->base, gen_scaled(g, index, stride)),
                           .rows = imm_operand(1),
                           .cols = m->cols,
                           .gm_stride = stride};
    struct operand place = gen_scaled(g, reg_operand(row), tile_pitch(to) * size);
    struct dma *d = gen_dma(g, I_MTE2, t, m->tile, &r);
    d->macro = true;
    set_place(d, place);
}

static void gather_row(struct gen *g, const struct gathering *m, int row)
{
    struct operand index = index_at(g, m, reg_operand(row));
    int beyond = branch_beyond(g, m, index), col;
    load_row(g, m, row, index);
    if (beyond < 0)
        return;
    int done = gen_branch(g, I_JMP, NO_REG);
    gen_patch_here(g, beyond);
    int leave = gen_begin_count(g, &col, m->cols);
    clear(g, m, element_of(g, m->tile, row, col));
    gen_end_count(g, col, leave, 1);
    gen_patch_here(g, done);
}

static void gather_element(struct gen *g, const struct gathering *m, int row, int col)
{
    struct operand index = index_at(g, m, element_of(g, m->indices, row, col)),
                   to = element_of(g, m->tile, row, col);
    int beyond = branch_beyond(g, m, index);
    struct operand value = memory_load(g, m->memory, index);
    gen_emit(g, insn_with(tile_access(g, I_TILE_ST, m->tile, to), value));
    if (beyond < 0)
        return;
    int done = gen_branch(g, I_JMP, NO_REG);
    gen_patch_here(g, beyond);
    clear(g, m, to);
    gen_patch_here(g, done);
}

static void scatter_element(struct gen *g, const struct gathering *m, int row, int col)
{
    struct operand index = index_at(g, m, element_of(g, m->indices, row, col)),
                   bits = tile_load(g, m->tile, element_of(g, m->tile, row, col));
    struct operand addr = gen_flat_address(g, m->memory, index);
    gen_emit(g, insn_with(gen_scalar_access(g, I_ST, m->memory, addr), bits));
    gen_accesses(g, m->memory, false);
}

static void each_element(struct gen *g, const struct gathering *m,
                         void (*move)(struct gen *g, const struct gathering *m, int row, int col))
{
    int row, col, last_row = gen_begin_count(g, &row, m->rows),
                  last_col = gen_begin_count(g, &col, m->cols);
    move(g, m, row, col);
    gen_end_count(g, col, last_col, 1);
    gen_end_count(g, row, last_row, 1);
}

/* ---- the macros ---- */

/* The valid part of a tile of indices, or of what is scattered. */
static bool extents_of(struct gen *g, const struct ir_expr *e, int tile, struct gathering *m)
{
    const struct tile *x = &g->tiles.items[m->indices];
    return x->elem == ELEM_I32
               ? gen_valid_extents(g, e, tile, &m->rows, &m->cols)
               : gen_error(g, e->span, "indices are INT32, not %s", elem_name(x->elem));
}

static struct operand elements(struct gen *g, const struct tensor *t, int dims)
{
    struct operand n = imm_operand(1);
    for (int i = 0; i < dims; i++)
        n = gen_alu(g, ALU_MUL, n, gen_extent(t, i));
    return n;
}

static bool has_even_rows(struct gen *g, const struct ir_expr *e, const struct tensor *t)
{
    return (t->ndims >= 2 && (t->ndims == 2 || gen_is_dense(t)) && t->stride[t->ndims - 1] == 1) ||
           gen_error(g, e->span, "'%s' gathers rows of a tensor that lie evenly spaced",
                     e->call.op->name);
}

/* A row for each index of [1, R]; the rows of the memory are evenly spaced (pto-facts 3.1). */
static bool by_rows(struct gen *g, const struct ir_expr *e, struct gathering *m)
{
    const struct tensor *t = m->memory;
    if (!has_even_rows(g, e, t))
        return false;
    if (g->tiles.items[m->indices].rows != 1)
        return gen_error(g, e->span, "'%s' by rows takes its indices from one row, [1, R]",
                         e->call.op->name);
    m->rows = m->cols;
    m->cols = gen_extent(t, t->ndims - 1);
    m->count = elements(g, t, t->ndims - 1);
    return true;
}

static void add_macro(struct gen *g, int first)
{
    vec_push(g->arena, &g->macros, ((struct macro_code){.first = first, .end = gen_here(g)}));
}

static void gather_rows(struct gen *g, const struct gathering *m)
{
    int row;
    FLAG_PAIRS(g, before_rows);
    int leave = gen_begin_count(g, &row, m->rows);
    gather_row(g, m, row);
    gen_end_count(g, row, leave, 1);
    FLAG_PAIRS(g, after_rows);
}

static void move_elements(struct gen *g, const struct gathering *m,
                          void (*move)(struct gen *g, const struct gathering *m, int row, int col))
{
    FLAG_PAIRS(g, before_elements);
    each_element(g, m, move);
    FLAG_PAIRS(g, after_elements);
}

/* ---- into L1 ---- */

/* What is not moved becomes 0, where an index past the end says so: the tile is cleared first. */
static void rows_to_l1(struct gen *g, const struct gathering *m)
{
    int row;
    if (m->beyond == BEYOND_ZERO)
        gen_tile_op(g, TILE_FILL, GEN_COPY, PIPE_MTE2, m->tile, NULL, 0, imm_operand(0));
    int leave = gen_begin_count(g, &row, m->rows);
    struct operand index = index_at(g, m, reg_operand(row));
    int beyond = branch_beyond(g, m, index);
    load_row(g, m, row, index);
    if (beyond >= 0)
        gen_patch_here(g, beyond);
    gen_end_count(g, row, leave, 1);
    FLAG_PAIRS(g, within_l1);
}

static void store_element(struct gen *g, const struct tensor *t, struct operand element,
                          struct operand bits)
{
    struct operand addr = gen_flat_address(g, t, element);
    gen_emit(g, insn_with(gen_scalar_access(g, I_ST, t, addr), bits));
    gen_accesses(g, t, false);
}

/* Whole lines of the cache go to memory, where MTE2 reads. */
static void write_back(struct gen *g, const struct tensor *t, int64_t bytes)
{
    int at, leave = gen_begin_count(g, &at, imm_operand(bytes));
    gen_emit(g,
             insn_access(gen_like(g), I_DCCI, gen_plus(g, t->base, reg_operand(at)), ELEM_I8, -1));
    gen_end_count(g, at, leave, CACHE_LINE);
    gen_simple(g, I_DSB);
}

/* The scratch tensor is cleared, filled in the order of the rows, and loaded as a whole. (The
 * device's order is that of the blocks of L1.) */
static void elements_to_l1(struct gen *g, const struct gathering *m, const struct tensor *scratch)
{
    const struct tile *to = &g->tiles.items[m->tile];
    int64_t n = (int64_t)to->rows * to->cols;
    int at, row, col, leave = gen_begin_count(g, &at, imm_operand(n));
    store_element(g, scratch, reg_operand(at), imm_operand(0));
    gen_end_count(g, at, leave, 1);
    int last_row = gen_begin_count(g, &row, m->rows), last_col = gen_begin_count(g, &col, m->cols);
    struct operand place = element_of(g, m->tile, row, col), index = index_at(g, m, place);
    int beyond = branch_beyond(g, m, index);
    store_element(g, scratch, place, memory_load(g, m->memory, index));
    if (beyond >= 0)
        gen_patch_here(g, beyond);
    gen_end_count(g, col, last_col, 1);
    gen_end_count(g, row, last_row, 1);
    write_back(g, scratch, n * elem_size(to->elem));
    FLAG_PAIRS(g, within_l1);
    struct region_arg r = {.addr = scratch->base,
                           .rows = imm_operand(to->rows),
                           .cols = imm_operand(to->cols),
                           .gm_stride = (int64_t)to->cols * elem_size(to->elem)};
    gen_dma(g, I_MTE2, scratch, m->tile, &r)->macro = true;
}

/* What of the tile is written: what valid_shape says, or all. */
static bool l1_extents(struct gen *g, const struct ir_expr *e, struct gathering *m)
{
    const struct tile *to = &g->tiles.items[m->tile];
    const struct ir_expr *valid = ir_call_arg(&e->call, "valid_shape");
    m->rows = imm_operand(to->rows);
    m->cols = imm_operand(to->cols);
    if (!valid)
        return true;
    const ir_exprs *given = gen_tuple_arg(g, valid, 2);
    return given && gen_int(g, given->items[0], &m->rows) && gen_int(g, given->items[1], &m->cols);
}

/* Elements go by way of a tensor with room for all of the tile. */
static const struct tensor *scratch_of(struct gen *g, const struct ir_expr *e)
{
    const struct ir_expr *given = ir_call_arg(&e->call, "scratch");
    const struct tensor *t = given ? gen_tensor_arg(g, given) : NULL;
    int64_t room = 1, n = 1, extent;
    for (int i = 0; t && i < t->ndims; i++)
        room *= t->shape[i];
    vec_foreach (struct ir_expr *, d, &e->type->shape)
        n *= ir_const_int(*d, &extent) ? extent : 0;
    if (!g->d->failed && (!t || room < n || !gen_is_dense(t)))
        gen_error(g, given ? given->span : e->span,
                  "'%s' of elements into L1 wants scratch=, a dense tensor of as many elements",
                  e->call.op->name);
    return g->d->failed ? NULL : t;
}

static struct value gather_to_l1(struct gen *g, const struct ir_expr *e,
                                 const struct ir_var *target, struct gathering *m)
{
    bool rows = !ir_call_int(&e->call, "coalesce");
    const struct tensor *scratch = NULL;
    m->listed = gen_tensor_arg(g, ir_call_arg(&e->call, "idx"));
    if (!rows && m->listed && !(scratch = scratch_of(g, e)))
        return none;
    m->tile = g->d->failed ? 0 : gen_result_tile(g, e, target);
    if (g->d->failed || !l1_extents(g, e, m) || (rows && !has_even_rows(g, e, m->memory)))
        return none;
    m->count = elements(g, m->memory, m->memory->ndims - rows);
    int first = gen_here(g);
    if (rows)
        rows_to_l1(g, m);
    else
        elements_to_l1(g, m, scratch);
    add_macro(g, first);
    gen_set_valid(g, m->tile, m->rows, m->cols);
    return (struct value){.kind = VAL_TILE, .tile = m->tile};
}

/* What moves into a vector tile fills blocks of it: the assembler refuses other widths. */
enum { BLOCK = 32 };

static bool fills_blocks(struct gen *g, const struct ir_expr *e, int tile)
{
    const struct tile *t = &g->tiles.items[tile];
    return (int64_t)t->cols * elem_size(t->elem) % BLOCK == 0 ||
           gen_error(g, e->span, "'%s' fills rows of a multiple of %d bytes", e->call.op->name,
                     BLOCK);
}

struct value gen_mgather(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    const struct ir_expr *where = ir_kwarg_find(&e->call.kwargs, "target_memory"),
                         *idx = ir_call_arg(&e->call, "idx");
    bool rows = !ir_call_int(&e->call, "coalesce");
    struct gathering m = {.beyond = (enum beyond)ir_call_int(&e->call, "gather_oob")};
    m.memory = gen_tensor_arg(g, ir_call_arg(&e->call, "mem"));
    if (m.memory && where && where->kind == IR_NAME && ir_space_named(where->name) == IR_SPACE_MAT)
        return gather_to_l1(g, e, target, &m);
    if (m.memory && e->call.args.len > 2)
        gen_error(g, e->span,
                  "'%s' has a scratch tensor and a valid_shape only where it gathers into L1",
                  e->call.op->name);
    m.indices = g->d->failed ? 0 : gen_tile_arg(g, idx);
    m.tile = m.memory && !g->d->failed ? gen_result_tile(g, e, target) : 0;
    if (g->d->failed || !extents_of(g, idx, m.indices, &m) || !fills_blocks(g, e, m.tile))
        return none;
    m.count = elements(g, m.memory, m.memory->ndims);
    if (rows && !by_rows(g, e, &m))
        return none;
    int first = gen_here(g);
    if (rows)
        gather_rows(g, &m);
    else
        move_elements(g, &m, gather_element);
    add_macro(g, first);
    gen_set_valid(g, m.tile, m.rows, m.cols);
    return (struct value){.kind = VAL_TILE, .tile = m.tile};
}

struct value gen_mscatter(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct ir_expr *src = ir_call_arg(&e->call, "src");
    struct gathering m = {.memory = gen_tensor_arg(g, ir_call_arg(&e->call, "output_tensor"))};
    m.tile = m.memory ? gen_tile_arg(g, src) : 0;
    m.indices = g->d->failed ? 0 : gen_tile_arg(g, ir_call_arg(&e->call, "idx"));
    if (g->d->failed || !extents_of(g, src, m.tile, &m))
        return none;
    enum elem held = g->tiles.items[m.tile].elem;
    if (held != m.memory->elem) {
        gen_error(g, e->span, "the tile holds %s, the tensor %s", elem_name(held),
                  elem_name(m.memory->elem));
        return none;
    }
    m.count = elements(g, m.memory, m.memory->ndims);
    int first = gen_here(g);
    move_elements(g, &m, scatter_element);
    add_macro(g, first);
    return (struct value){.kind = VAL_TENSOR, .tensor = m.memory};
}
