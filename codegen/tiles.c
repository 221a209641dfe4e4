/* SPDX-License-Identifier: MIT */
/*
 * Operators on tiles. One that the machine has no arithmetic for becomes an uninterpreted function
 * of its operands, scalars and keywords. What only names a part or another shape of a tile is no
 * instruction. Moves between memory spaces run where the two spaces say (pypto-ops-facts 1.4).
 */
#include <string.h>

#include "base/table.h"
#include "ir/print.h"
#include "codegen/internal.h"

static struct value tile_value(int tile)
{
    return (struct value){.kind = VAL_TILE, .tile = tile};
}

/* ---- arguments ---- */

int gen_tile_arg(struct gen *g, const struct ir_expr *e)
{
    struct value v = gen_expr(g, e, NULL);
    if (!g->d->failed && v.kind != VAL_TILE)
        gen_error(g, e->span, "expected a tile");
    return g->d->failed ? 0 : v.tile;
}

bool gen_valid_extents(struct gen *g, const struct ir_expr *e, int tile, struct operand *rows,
                       struct operand *cols)
{
    const ir_exprs *view = ir_valid_view(e->type);
    if (view && view->len == 2)
        return gen_int(g, view->items[0], rows) && gen_int(g, view->items[1], cols);
    *rows = g->tile_valid.items[tile].rows;
    *cols = g->tile_valid.items[tile].cols;
    return true;
}

static bool is_list(const struct ir_expr *e)
{
    return e && (e->kind == IR_TUPLE || e->kind == IR_LIST);
}

/* The valid extents of an operator's result: those of the first tile, given ones, or all. */
static void result_valid(struct gen *g, const struct ir_expr *e, int dst, int src)
{
    enum ir_valid_source source = ir_valid_source(e->call.op);
    const struct ir_expr *given = ir_call_arg(&e->call, "valid_shape"),
                         *rows = ir_call_arg(&e->call, "valid_rows"),
                         *cols = ir_call_arg(&e->call, "valid_cols");
    struct tile_valid valid = g->tile_valid.items[src];
    if (is_list(given) && given->items.len == 2) {
        rows = given->items.items[0];
        cols = given->items.items[1];
    }
    if (source == IR_VALID_ROW && e->type) {
        rows = ir_int(g->arena, 1, IR_INDEX, e->span);
        cols = e->type->shape.items[1];
        source = IR_VALID_GIVEN;
    }
    if (source == IR_VALID_KEPT)
        gen_set_valid(g, dst, valid.rows, valid.cols);
    else if (source != IR_VALID_GIVEN || !rows || !cols)
        gen_set_whole(g, dst);
    else if (gen_int(g, rows, &valid.rows) && gen_int(g, cols, &valid.cols))
        gen_set_valid(g, dst, valid.rows, valid.cols);
}

static struct tile_op *last_op(struct gen *g)
{
    return &g->tile_ops.items[g->tile_ops.len - 1];
}

/* ---- fillings ---- */

static struct value gen_tile_create(struct gen *g, const struct ir_expr *e,
                                    const struct ir_var *target)
{
    int tile = gen_result_tile(g, e, target);
    if (!g->d->failed)
        gen_set_whole(g, tile);
    return tile_value(tile);
}

static struct value gen_tile_full(struct gen *g, const struct ir_expr *e,
                                  const struct ir_var *target)
{
    struct value v = gen_expr(g, e->call.args.items[1], NULL);
    int tile = gen_result_tile(g, e, target);
    if (g->d->failed)
        return none;
    gen_tile_op(g, TILE_FILL, e->call.op->name, PIPE_V, tile, NULL, 0,
                gen_to_elem(g, v, g->tiles.items[tile].elem));
    gen_set_whole(g, tile);
    return tile_value(tile);
}

/* The bits of the least and the greatest value of an element: what pl.PadValue.min and max stand
 * for. */
static const struct {
    int64_t least, greatest;
} extremes[] = {
    [ELEM_I8] = {INT8_MIN, INT8_MAX},    [ELEM_U8] = {0, UINT8_MAX},
    [ELEM_I16] = {INT16_MIN, INT16_MAX}, [ELEM_I32] = {INT32_MIN, INT32_MAX},
    [ELEM_I64] = {INT64_MIN, INT64_MAX}, [ELEM_F16] = {0xfc00, 0x7c00},
    [ELEM_BF16] = {0xff80, 0x7f80},      [ELEM_F32] = {0xff800000, 0x7f800000},
};
ROW_EACH(extremes, ELEM_COUNT);

/* The bits of the padding; false when it stays as it is. */
static bool pad_value(struct gen *g, const struct ir_expr *e, enum elem elem, int64_t *bits)
{
    const struct ir_expr *pad = ir_kwarg_find(&e->call.kwargs, "pad_value");
    const char *name = !pad ? ".zero" : pad->kind == IR_NAME ? strrchr(pad->name, '.') : NULL;
    *bits = 0;
    if (!name)
        return gen_error(g, pad->span, "expected one of pl.PadValue.zero, min, max and null");
    if (!strcmp(name, ".min"))
        *bits = extremes[elem].least;
    if (!strcmp(name, ".max"))
        *bits = extremes[elem].greatest;
    return strcmp(name, ".null") != 0;
}

/* In place, the tile keeps its buffer; otherwise the result is another. */
static struct value gen_fillpad(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    const struct ir_expr *from = ir_call_arg(&e->call, "tile");
    int tile = gen_tile_arg(g, from);
    struct operand rows, cols;
    int64_t pad;
    if (g->d->failed || !gen_valid_extents(g, from, tile, &rows, &cols))
        return none;
    bool in_place = !strcmp(e->call.op->name, "tile.fillpad_inplace");
    int dst = in_place ? tile : gen_result_tile(g, e, target);
    if (g->d->failed)
        return none;
    bool fills = pad_value(g, e, g->tiles.items[tile].elem, &pad);
    if (g->d->failed)
        return none;
    gen_tile_op(g, fills ? TILE_FILLPAD : TILE_COPY, e->call.op->name,
                g->spaces.items[tile] == IR_SPACE_MAT ? PIPE_MTE1 : PIPE_V, dst, &tile, 1,
                imm_operand(pad));
    last_op(g)->rows = rows;
    last_op(g)->cols = cols;
    gen_set_whole(g, dst);
    return tile_value(dst);
}

/* A ramp along each row. */
static struct value gen_tile_ci(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    struct operand start;
    int tile = gen_result_tile(g, e, target);
    if (g->d->failed || !gen_int(g, ir_call_arg(&e->call, "start"), &start))
        return none;
    gen_tile_op(g, ir_call_int(&e->call, "descending") ? TILE_RAMP_DOWN : TILE_RAMP,
                e->call.op->name, PIPE_S, tile, NULL, 0, start);
    gen_set_whole(g, tile);
    return tile_value(tile);
}

/* ---- spaces ---- */

/* Which unit copies from one space to another (pypto-ops-facts 1.4): IR_SPACE_NONE stands for any;
 * the first row that fits counts. */
static const struct {
    enum ir_space from, to;
    enum pipe move, extract;
} movers[] = {
    {IR_SPACE_ACC, IR_SPACE_NONE, PIPE_FIX, PIPE_FIX},
    {IR_SPACE_MAT, IR_SPACE_VEC, PIPE_V, PIPE_V},
    {IR_SPACE_MAT, IR_SPACE_NONE, PIPE_MTE1, PIPE_MTE1},
    {IR_SPACE_VEC, IR_SPACE_MAT, PIPE_V, PIPE_FIX},
    {IR_SPACE_NONE, IR_SPACE_NONE, PIPE_V, PIPE_V},
};

enum pipe gen_copy_pipe(const struct gen *g, int tile)
{
    switch (g->spaces.items[tile]) {
    case IR_SPACE_ACC:
        return PIPE_M;
    case IR_SPACE_NONE:
    case IR_SPACE_VEC:
        return PIPE_V;
    default:
        return PIPE_MTE1;
    }
}

static enum pipe mover(const struct gen *g, int from, int to, bool extract)
{
    enum ir_space a = g->spaces.items[from], b = g->spaces.items[to];
    size_t i = 0;
    while ((movers[i].from != IR_SPACE_NONE && movers[i].from != a) ||
           (movers[i].to != IR_SPACE_NONE && movers[i].to != b))
        i++;
    return extract ? movers[i].extract : movers[i].move;
}

static struct value gen_tile_move(struct gen *g, const struct ir_expr *e,
                                  const struct ir_var *target)
{
    int src = gen_tile_arg(g, e->call.args.items[0]);
    int dst = g->d->failed ? 0 : gen_result_tile(g, e, target);
    if (g->d->failed)
        return none;
    gen_tile_op(g, TILE_COPY, e->call.op->name, mover(g, src, dst, false), dst, &src, 1,
                imm_operand(0));
    result_valid(g, e, dst, src);
    return tile_value(dst);
}

/* ---- other names, parts and shapes of a tile ---- */

/* The tile of an operand whose memory the result shares: a copy, where a later definition of one of
 * the names must not change what the other one stands for. */
static int shared(struct gen *g, const struct ir_expr *from, int tile, const struct ir_var *target)
{
    bool named = from->kind == IR_VAR,
         same = named && target && gen_slot(g, from->var) == gen_slot(g, target);
    bool apart =
        !same && ((named && gen_redefined(g, from->var)) || (target && gen_changes(g, target)));
    return apart ? gen_own_tile(g, tile_value(tile)).tile : tile;
}

int gen_shared_arg(struct gen *g, const struct ir_expr *from, const struct ir_var *target)
{
    int tile = gen_tile_arg(g, from);
    return g->d->failed ? 0 : shared(g, from, tile, target);
}

static const char *result_name(struct gen *g, const struct ir_var *target)
{
    return target ? target->shown : arena_printf(g->arena, "t%zu", g->tiles.len);
}

/* The bytes of a tile as the result of e: no instruction, unless its rows lie apart. */
static struct value reshaped(struct gen *g, const struct ir_expr *e, const struct ir_var *target,
                             int src, struct tile shape)
{
    int dst;
    if (g->tiles.items[src].pitch) {
        dst = gen_result_tile(g, e, target);
        if (g->d->failed)
            return none;
        gen_tile_op(g, TILE_RESHAPE, GEN_COPY, gen_copy_pipe(g, dst), dst, &src, 1, imm_operand(0));
    } else {
        dst = gen_view(g, result_name(g, target), src, shape);
        if (!strcmp(e->call.op->name, "tile.reshape"))
            gen_tile_op(g, TILE_RENAME, e->call.op->name, PIPE_S, dst, &src, 1, imm_operand(0));
    }
    result_valid(g, e, dst, src);
    return tile_value(dst);
}

static bool result_shape(struct gen *g, const struct ir_expr *e, struct tile *t)
{
    *t = (struct tile){0};
    if (!e->type || e->type->kind != IR_TYPE_TILE)
        return gen_error(g, e->span, "the type of this tile is not known; annotate the variable");
    return gen_elem(g, e->type->dtype, e->span, &t->elem) &&
           gen_tile_extents(g, e->type, e->span, &t->rows, &t->cols);
}

static struct value gen_tile_view(struct gen *g, const struct ir_expr *e,
                                  const struct ir_var *target)
{
    struct tile t;
    int src = gen_shared_arg(g, e->call.args.items[0], target);
    if (g->d->failed || !result_shape(g, e, &t))
        return none;
    const struct tile *s = &g->tiles.items[src];
    if ((int64_t)t.rows * t.cols * elem_size(t.elem) >
        (int64_t)s->rows * s->cols * elem_size(s->elem)) {
        gen_error(g, e->span, "the tile '%s' has no room for this shape", s->name);
        return none;
    }
    if (t.rows == s->rows && t.cols == s->cols && t.elem == s->elem)
        t.pitch = s->pitch; /* only the valid part is another */
    else
        return reshaped(g, e, target, src, t);
    int dst = gen_view(g, result_name(g, target), src, t);
    result_valid(g, e, dst, src);
    return tile_value(dst);
}

/* A rectangle of a tile; all dimensions but the last are rows. */
struct part {
    struct operand row, col;
    int64_t rows, cols;
};

/* False without an error when the rows do not follow each other evenly. */
static bool part_of(struct gen *g, const struct ir_type *whole, const ir_exprs *at,
                    const ir_exprs *shape, struct part *p)
{
    int64_t dim, extent;
    bool inner_whole = true, rectangle = at->len == shape->len && at->len == whole->shape.len;
    *p = (struct part){imm_operand(0), imm_operand(0), 1, 1};
    for (size_t i = at->len, step = 1; rectangle && i-- > 0;) {
        struct operand from;
        if (!gen_int(g, at->items[i], &from) ||
            !gen_const(g, shape->items[i], "the extent of a tile", &extent) ||
            !gen_const(g, whole->shape.items[i], "the extent of a tile", &dim))
            return false;
        if (i + 1 == at->len) {
            p->col = from;
            p->cols = extent;
            continue;
        }
        rectangle = inner_whole || extent == 1;
        inner_whole &= extent == dim;
        p->row = gen_alu(g, ALU_ADD, gen_alu(g, ALU_MUL, from, imm_operand((int64_t)step)), p->row);
        p->rows *= extent;
        step *= (size_t)dim;
    }
    return rectangle;
}

static void set_place(struct gen *g, const struct part *p)
{
    last_op(g)->rows = p->row;
    last_op(g)->cols = p->col;
}

static struct value gen_function_of_all(struct gen *g, const struct ir_expr *e,
                                        const struct ir_var *target);

static bool inside(struct gen *g, const struct part *p, int tile, struct span at)
{
    const struct tile *t = &g->tiles.items[tile];
    bool known = p->row.reg == NO_REG && p->col.reg == NO_REG;
    bool ok = !known || (p->row.imm >= 0 && p->col.imm >= 0 && p->row.imm + p->rows <= t->rows &&
                         p->col.imm + p->cols <= t->cols);
    return ok || gen_error(g, at,
                           "%lld x %lld elements from [%lld, %lld] lie outside of the tile, whose "
                           "extent is [%d, %d]",
                           (long long)p->rows, (long long)p->cols, (long long)p->row.imm,
                           (long long)p->col.imm, t->rows, t->cols);
}

/* A part whose place is known lies in the tile's memory; else it is copied when it is asked for. */
static struct value gen_tile_slice(struct gen *g, const struct ir_expr *e,
                                   const struct ir_var *target)
{
    const struct ir_expr *from = e->call.args.items[0], *at = ir_call_arg(&e->call, "offset"),
                         *shape = ir_call_arg(&e->call, "shape");
    struct part p;
    struct tile t;
    if (!is_list(at) || !is_list(shape) || !from->type ||
        !part_of(g, from->type, &at->items, &shape->items, &p))
        return g->d->failed ? none : gen_function_of_all(g, e, target);
    int src = gen_shared_arg(g, from, target);
    if (g->d->failed || !result_shape(g, e, &t) || !inside(g, &p, src, e->span))
        return none;
    const struct tile *s = &g->tiles.items[src];
    struct tile piece = {.rows = (int)p.rows, .cols = (int)p.cols, .elem = s->elem};
    if (p.row.reg != NO_REG || p.col.reg != NO_REG) {
        int dst = gen_result_tile(g, e, target);
        if (g->d->failed)
            return none;
        gen_tile_op(g, TILE_PART, GEN_COPY, gen_copy_pipe(g, dst), dst, &src, 1, imm_operand(0));
        set_place(g, &p);
        result_valid(g, e, dst, src);
        return tile_value(dst);
    }
    piece.offset = (p.row.imm * tile_pitch(s) + p.col.imm) * elem_size(s->elem);
    piece.pitch = piece.rows > 1 && piece.cols != tile_pitch(s) ? tile_pitch(s) : 0;
    int view = gen_view(g, result_name(g, target), src, piece);
    if (t.rows != piece.rows || t.cols != piece.cols) /* without the dimensions that it drops */
        return reshaped(g, e, target, view, t);
    result_valid(g, e, view, src);
    return tile_value(view);
}

static struct value gen_tile_extract(struct gen *g, const struct ir_expr *e,
                                     const struct ir_var *target)
{
    struct part p;
    int src = gen_tile_arg(g, e->call.args.items[0]);
    if (g->d->failed || !gen_int(g, ir_call_arg(&e->call, "index_row"), &p.row) ||
        !gen_int(g, ir_call_arg(&e->call, "index_col"), &p.col))
        return none;
    int dst = gen_result_tile(g, e, target);
    p.rows = g->d->failed ? 0 : g->tiles.items[dst].rows;
    p.cols = g->d->failed ? 0 : g->tiles.items[dst].cols;
    if (g->d->failed || !inside(g, &p, src, e->span))
        return none;
    gen_tile_op(g, TILE_PART, e->call.op->name, mover(g, src, dst, true), dst, &src, 1,
                imm_operand(0));
    set_place(g, &p);
    result_valid(g, e, dst, src);
    return tile_value(dst);
}

/* A view of the target, and a move into it (pypto-ops-facts 1.4). */
static struct value gen_tile_assemble(struct gen *g, const struct ir_expr *e,
                                      const struct ir_var *target)
{
    const struct ir_expr *into = e->call.args.items[0], *from = e->call.args.items[1],
                         *at = ir_call_arg(&e->call, "offset");
    struct part p;
    if (!is_list(at) || !from->type || !into->type ||
        !part_of(g, into->type, &at->items, &from->type->shape, &p))
        return g->d->failed ? none : gen_function_of_all(g, e, target);
    int dst = gen_shared_arg(g, into, target), src = g->d->failed ? 0 : gen_tile_arg(g, from);
    if (g->d->failed || !inside(g, &p, dst, e->span))
        return none;
    gen_tile_op(g, TILE_INSERT, e->call.op->name, mover(g, src, dst, false), dst, (int[]){dst, src},
                2, imm_operand(0));
    set_place(g, &p);
    result_valid(g, e, dst, dst);
    return tile_value(dst);
}

/* ---- arithmetic ---- */

static const struct {
    const char *name;
    gen_operator *gen;
} generators[] = {
    {"tile.create", gen_tile_create},
    {"tile.full", gen_tile_full},
    {"tile.expands", gen_tile_full},
    {"tile.ci", gen_tile_ci},
    {"tile.fillpad", gen_fillpad},
    {"tile.fillpad_inplace", gen_fillpad},
    {"tile.move", gen_tile_move},
    {"tile.extract", gen_tile_extract},
    {"tile.assemble", gen_tile_assemble},
    {"tile.slice", gen_tile_slice},
    {"tile.reshape", gen_tile_view},
    {"tile.transpose_view", gen_tile_view},
    {"tile.reinterpret_view", gen_tile_view},
    {"tile.set_validshape", gen_tile_view},
};

static bool is_tile_operator(const struct ir_op *op)
{
    return !strncmp(op->name, "tile.", strlen("tile."));
}

/* Operators that are the arithmetic of another one, and the first tile that they read. */
static const struct {
    const char *name;
    enum tile_op_kind kind;
    int first;
} likened[] = {
    {"tile.row_expand", TILE_COPY, 1},       {"tile.row_expand_add", TILE_ADD, 0},
    {"tile.row_expand_sub", TILE_SUB, 0},    {"tile.row_expand_mul", TILE_MUL, 0},
    {"tile.row_expand_div", TILE_DIV, 0},    {"tile.row_expand_max", TILE_MAX, 0},
    {"tile.row_expand_min", TILE_MIN, 0},    {"tile.col_expand", TILE_COPY, 1},
    {"tile.col_expand_add", TILE_ADD, 0},    {"tile.col_expand_sub", TILE_SUB, 0},
    {"tile.col_expand_mul", TILE_MUL, 0},    {"tile.col_expand_div", TILE_DIV, 0},
    {"tile.col_expand_max", TILE_MAX, 0},    {"tile.col_expand_min", TILE_MIN, 0},
    {"tile.matmul_acc", TILE_ACCUMULATE, 0}, {"tile.batch_matmul_acc", TILE_ACCUMULATE, 0},
    {"tile.gemv_acc", TILE_ACCUMULATE, 0},   {"tile.matmul_mx_acc", TILE_ACCUMULATE, 0},
};

/* The arithmetic of an operator, and the first tile that it reads; false: it is uninterpreted. */
static bool arithmetic_of(const struct ir_op *op, enum tile_op_kind *kind, int *first)
{
    *first = 0;
    for (size_t i = 0; i < sizeof likened / sizeof *likened; i++)
        if (!strcmp(likened[i].name, op->name)) {
            *kind = likened[i].kind;
            *first = likened[i].first;
            return true;
        }
    for (int k = 0; k < TILE_OP_COUNT && is_tile_operator(op); k++)
        if (tile_op_rows[k].op && !strcmp(tile_op_rows[k].op, op->name + strlen("tile."))) {
            *kind = (enum tile_op_kind)k;
            return true;
        }
    return false;
}

static enum pipe machine_pipe(enum ir_pipe p)
{
    static const enum pipe pipes[] = {
        [IR_PIPE_NONE] = PIPE_V,    [IR_PIPE_S] = PIPE_S,       [IR_PIPE_V] = PIPE_V,
        [IR_PIPE_MTE1] = PIPE_MTE1, [IR_PIPE_MTE2] = PIPE_MTE2, [IR_PIPE_MTE3] = PIPE_MTE3,
        [IR_PIPE_M] = PIPE_M,       [IR_PIPE_FIX] = PIPE_FIX};
    return pipes[p];
}

struct operands {
    int src[TILE_MAX_SRC], nsrc;
    struct value scalar;  /* the last one */
    struct operand mixed; /* all scalars and keywords as one number */
};

static void mix(struct gen *g, struct operands *o, struct operand x)
{
    o->mixed = gen_alu(g, ALU_ADD, gen_alu(g, ALU_MUL, o->mixed, imm_operand(1000003)), x);
}

static void mix_keywords(struct gen *g, struct operands *o, const ir_kwargs *kwargs)
{
    vec_foreach (struct ir_kwarg, k, kwargs)
        for (const char *c = ir_print_expr(g->arena, k->value); *c; c++)
            o->mixed.imm = (o->mixed.imm * 31 + *c) & INT32_MAX;
}

/* A tile that the operator only works in: what it held does not change the result. */
static bool is_scratch(struct gen *g, const struct ir_call *call, size_t i)
{
    const char *name = ir_op_arg_name(g->arena, call->op, call->args.len, i);
    return name && (!strcmp(name, "tmp") || !strcmp(name, "tmp_tile") || !strcmp(name, "scratch"));
}

static bool add_operand(struct gen *g, const struct ir_expr *e, struct operands *o)
{
    struct operand x;
    if (is_list(e)) {
        vec_foreach (struct ir_expr *, item, &e->items) {
            if (!gen_int(g, *item, &x))
                return false;
            mix(g, o, x);
        }
        return true;
    }
    struct value v = gen_expr(g, e, NULL);
    if (g->d->failed)
        return false;
    if (v.kind == VAL_TILE && o->nsrc < TILE_MAX_SRC) {
        o->src[o->nsrc++] = v.tile;
    } else if (v.kind == VAL_INT || v.kind == VAL_FLOAT) {
        o->scalar = v;
        mix(g, o, v.op);
    } else {
        return gen_error(g, e->span, "expected a tile or a scalar");
    }
    return true;
}

static bool operands_of(struct gen *g, const struct ir_expr *e, struct operands *o)
{
    *o = (struct operands){.mixed = imm_operand(0), .scalar = {.op = imm_operand(0)}};
    mix_keywords(g, o, &e->call.kwargs);
    for (size_t i = 0; i < e->call.args.len; i++)
        if (!is_scratch(g, &e->call, i) && !add_operand(g, e->call.args.items[i], o))
            return false;
    return true;
}

/* The tile of the result: in place, that of an argument. */
static int destination(struct gen *g, const struct ir_expr *e, const struct ir_var *target,
                       struct operands *o)
{
    if (e->call.op->result != IR_RESULT_IN_PLACE)
        return gen_result_tile(g, e, target);
    /* It is the first tile of every such row. */
    o->src[0] = shared(g, e->call.args.items[e->call.op->result_arg], o->src[0], target);
    return o->src[0];
}

/* A pair of tiles: places and counts. */
static struct value gen_found(struct gen *g, const struct ir_expr *e, const struct operands *o)
{
    struct value pair = {.kind = VAL_PAIR};
    int *tiles[] = {&pair.tile, &pair.second};
    for (size_t i = 0; i < 2; i++) {
        struct ir_expr part = *e;
        part.type = i < e->type->elems.len ? e->type->elems.items[i] : NULL;
        *tiles[i] = gen_result_tile(g, &part, NULL);
        if (g->d->failed)
            return none;
        gen_tile_op(g, TILE_UNINTERPRETED, e->call.op->name, PIPE_V, *tiles[i], o->src, o->nsrc,
                    o->mixed);
        gen_set_whole(g, *tiles[i]);
    }
    return pair;
}

static struct value gen_function_of_all(struct gen *g, const struct ir_expr *e,
                                        const struct ir_var *target)
{
    struct operands o;
    if (!operands_of(g, e, &o))
        return none;
    if (e->call.op->result == IR_RESULT_FOUND && e->type)
        return gen_found(g, e, &o);
    int dst = destination(g, e, target, &o);
    if (g->d->failed)
        return none;
    gen_tile_op(g, TILE_UNINTERPRETED, e->call.op->name, machine_pipe(e->call.op->pipe), dst, o.src,
                o.nsrc, o.mixed);
    result_valid(g, e, dst, o.nsrc ? o.src[0] : dst);
    return tile_value(dst);
}

static int sources(enum tile_op_kind kind)
{
    enum tile_form form = (enum tile_form)tile_op_rows[kind].form;
    return form == FORM_BINARY || form == FORM_PLACES ? 2 : 1;
}

static struct value gen_arithmetic(struct gen *g, const struct ir_expr *e,
                                   const struct ir_var *target, enum tile_op_kind kind, int first)
{
    struct operands o;
    if (!operands_of(g, e, &o))
        return none;
    int dst = destination(g, e, target, &o), n = o.nsrc - first, most = TILE_MAX_SRC;
    if (g->d->failed)
        return none;
    if (kind != TILE_ACCUMULATE)
        most = sources(kind);
    struct operand scalar = o.scalar.kind == VAL_VOID ? imm_operand(0) : o.scalar.op;
    if (kind == TILE_CAST)
        scalar = imm_operand(ir_call_int(&e->call, "mode"));
    else if (tile_op_rows[kind].form == FORM_SCALAR)
        scalar = gen_to_elem(g, o.scalar, g->tiles.items[o.src[first]].elem);
    gen_tile_op(g, kind, e->call.op->name, machine_pipe(e->call.op->pipe), dst, o.src + first,
                n < most ? n : most, scalar);
    result_valid(g, e, dst, o.src[0]);
    return tile_value(dst);
}

/* ---- what does not run ---- */

/* Why an operator that is registered has no code in a kernel here: by its name's beginning, or by
 * what it does. */
static const struct {
    const char *prefix; /* NULL: any */
    int effect;         /* -1: any */
    const char *reason;
} reasons[] = {
    {NULL, IR_EFFECT_LANE,
     "hands a tile over to another core, which ExpandMixedKernel makes a push and a pop of"},
    {NULL, IR_EFFECT_HOST, "is for orchestrators"},
    {NULL, IR_EFFECT_COLLECTIVE, "is lowered by LowerCompositeOps, which has not run"},
    {"tensor.", -1,
     "works on tensors as values: in an InCore function ConvertTensorToTileOps makes an operator "
     "on "
     "tiles of it, and elsewhere nothing runs it"},
    {"test.", -1, "is registered for the compiler's own tests only"},
    {NULL, -1, "is not modelled"},
};

static struct value refuse(struct gen *g, const struct ir_expr *e)
{
    const struct ir_op *op = e->call.op;
    size_t i = 0;
    while ((reasons[i].prefix && strncmp(op->name, reasons[i].prefix, strlen(reasons[i].prefix))) ||
           (reasons[i].effect >= 0 && reasons[i].effect != (int)op->effect))
        i++;
    gen_error(g, e->span, "'%s' %s", op->name, reasons[i].reason);
    return none;
}

struct value gen_tile_operator(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    const struct ir_op *op = e->call.op;
    for (size_t i = 0; i < sizeof generators / sizeof *generators; i++)
        if (!strcmp(generators[i].name, op->name))
            return generators[i].gen(g, e, target);
    enum tile_op_kind kind;
    int first;
    if (arithmetic_of(op, &kind, &first))
        return gen_arithmetic(g, e, target, kind, first);
    bool pure = is_tile_operator(op) && op->effect == IR_EFFECT_PURE;
    return pure ? gen_function_of_all(g, e, target) : refuse(g, e);
}
