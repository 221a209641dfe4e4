/* SPDX-License-Identifier: MIT */
/*
 * Rows and elements of a tensor at places that scalars or a tile of indices say. gather_row is one
 * transfer; mgather and mscatter are macros of the library (isa/gather.h).
 */
#include <string.h>

#include "codegen/internal.h"
#include "isa/gather.h"

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

/* ---- the macros ---- */

/* The valid part of a tile of indices, or of what is scattered. */
static bool extents_of(struct gen *g, const struct ir_expr *e, int tile, struct gathering *m)
{
    const struct tile *x = &g->tiles.items[m->indices];
    return x->elem == ELEM_I32
               ? gen_valid_extents(g, e, tile, &m->rows, &m->cols)
               : gen_error(g, e->span, "indices are INT32, not %s", elem_name(x->elem));
}

/* The tensor as the macros of the library see it. */
static struct gather_memory memory_of(const struct tensor *t)
{
    struct gather_memory m = {.base = t->base,
                              .elem = t->elem,
                              .region = t->region,
                              .use = {t->root, false},
                              .ndims = t->ndims,
                              .dense = gen_is_dense(t)};
    for (int i = 0; i < t->ndims; i++) {
        m.extent[i] = gen_extent(t, i);
        m.stride[i] = t->stride[i];
    }
    return m;
}

static bool has_even_rows(struct gen *g, const struct ir_expr *e, const struct tensor *t)
{
    return (t->ndims >= 2 && (t->ndims == 2 || gen_is_dense(t)) && t->stride[t->ndims - 1] == 1) ||
           gen_error(g, e->span, "'%s' gathers rows of a tensor that lie evenly spaced",
                     e->call.op->name);
}

/* A row for each index of [1, R]; the rows of the memory are evenly spaced (pto-facts 3.1). */
static bool by_rows(struct gen *g, const struct ir_expr *e, const struct tensor *t,
                    struct gathering *m)
{
    if (!has_even_rows(g, e, t))
        return false;
    if (g->tiles.items[m->indices].rows != 1)
        return gen_error(g, e->span, "'%s' by rows takes its indices from one row, [1, R]",
                         e->call.op->name);
    m->rows = m->cols;
    m->cols = gen_extent(t, t->ndims - 1);
    m->count = gather_count(gen_builder(g), &m->memory, t->ndims - 1);
    return true;
}

/* ---- into L1 ---- */

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
                                 const struct ir_var *target, const struct tensor *t,
                                 struct gathering *m)
{
    bool rows = !ir_call_int(&e->call, "coalesce");
    const struct tensor *scratch = NULL, *listed = gen_tensor_arg(g, ir_call_arg(&e->call, "idx"));
    if (!rows && listed && !(scratch = scratch_of(g, e)))
        return none;
    m->tile = g->d->failed ? 0 : gen_result_tile(g, e, target);
    if (g->d->failed || !l1_extents(g, e, m) || (rows && !has_even_rows(g, e, t)))
        return none;
    struct gather_memory list = memory_of(listed), through = memory_of(rows ? listed : scratch);
    m->listed = &list;
    m->count = gather_count(gen_builder(g), &m->memory, t->ndims - rows);
    if (rows)
        build_gather_rows_to_l1(gen_builder(g), m);
    else
        build_gather_elements_to_l1(gen_builder(g), m, &through);
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
    const struct tensor *t = gen_tensor_arg(g, ir_call_arg(&e->call, "mem"));
    if (t)
        m.memory = memory_of(t);
    if (t && where && where->kind == IR_NAME && ir_space_named(where->name) == IR_SPACE_MAT)
        return gather_to_l1(g, e, target, t, &m);
    if (t && e->call.args.len > 2)
        gen_error(g, e->span,
                  "'%s' has a scratch tensor and a valid_shape only where it gathers into L1",
                  e->call.op->name);
    m.indices = g->d->failed ? 0 : gen_tile_arg(g, idx);
    m.tile = t && !g->d->failed ? gen_result_tile(g, e, target) : 0;
    if (g->d->failed || !extents_of(g, idx, m.indices, &m) || !fills_blocks(g, e, m.tile))
        return none;
    m.count = gather_count(gen_builder(g), &m.memory, t->ndims);
    if (rows && !by_rows(g, e, t, &m))
        return none;
    (rows ? build_gather_rows : build_gather_elements)(gen_builder(g), &m);
    gen_set_valid(g, m.tile, m.rows, m.cols);
    return (struct value){.kind = VAL_TILE, .tile = m.tile};
}

struct value gen_mscatter(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct ir_expr *src = ir_call_arg(&e->call, "src");
    const struct tensor *t = gen_tensor_arg(g, ir_call_arg(&e->call, "output_tensor"));
    struct gathering m = {.tile = t ? gen_tile_arg(g, src) : 0};
    m.indices = g->d->failed ? 0 : gen_tile_arg(g, ir_call_arg(&e->call, "idx"));
    if (g->d->failed || !extents_of(g, src, m.tile, &m))
        return none;
    enum elem held = g->tiles.items[m.tile].elem;
    if (held != t->elem) {
        gen_error(g, e->span, "the tile holds %s, the tensor %s", elem_name(held),
                  elem_name(t->elem));
        return none;
    }
    m.memory = memory_of(t);
    m.count = gather_count(gen_builder(g), &m.memory, t->ndims);
    build_scatter_elements(gen_builder(g), &m);
    return (struct value){.kind = VAL_TENSOR, .tensor = t};
}
