/* SPDX-License-Identifier: MIT */
/* Tiles: where they lie, and what works on them. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "pto/lower.h"
#include "pto/ops.h"

enum { MAX_TILE = 1 << 24 }; /* bytes */

/* ---- storage ---- */

/* A tile that alloc_tile makes at an address: [at, end) of its space. */
struct place {
    const struct pto_op *op;
    const struct pto_type *type;
    enum elem elem;
    int64_t at, end;
};
typedef VEC(struct place) tile_places;

static bool is_accumulator(const struct pto_type *t)
{
    return !strcmp(t->space, "acc");
}

static int64_t rows_of_type(const struct pto_type *t)
{
    return t->kind == PTO_TILES ? t->dims[0] * t->count : t->dims[0];
}

static int64_t tile_bytes(const struct pto_type *t, enum elem e)
{
    return rows_of_type(t) * t->dims[1] * elem_size(e);
}

static bool constant_address(const struct pto_op *op, int64_t *out)
{
    const struct pto_operand *o = pto_find_operand(op, "addr", 0);
    const struct pto_op *def = o && o->value ? o->value->def : NULL;
    *out = o ? o->number : -1;
    if (!o || !o->value)
        return o != NULL;
    if (!def || strcmp(def->name, "arith.constant") || !def->attrs.len)
        return false;
    *out = def->attrs.items[0].number;
    return true;
}

static bool add_place(struct lower *l, const struct pto_op *op, tile_places *out)
{
    struct place p = {.op = op};
    p.type = op->results.len ? op->results.items[0]->type : NULL;
    if (!p.type || (p.type->kind != PTO_TILE && p.type->kind != PTO_TILES))
        return lower_error(l, op->span, "expected the type of a tile");
    if (!lower_need_elem(l, p.type->elem, op->span, &p.elem))
        return false;
    if (tile_bytes(p.type, p.elem) < 1 || tile_bytes(p.type, p.elem) > MAX_TILE)
        return lower_error(l, op->span, "a tile of this size does not fit a core");
    if (!constant_address(op, &p.at)) {
        if (pto_find_operand(op, "addr", 0))
            return lower_error(l, op->span, "the address of a tile must be a constant");
        p.at = -1;
    }
    p.end = p.at < 0 ? -1 : p.at + tile_bytes(p.type, p.elem);
    vec_push(l->arena, out, p);
    return true;
}

static bool makes_tiles(const struct pto_op *op)
{
    return !strcmp(op->name, "pto.alloc_tile") || !strcmp(op->name, "pto.declare_tile") ||
           !strcmp(op->name, "pto.alloc_multi_tile");
}

static bool find_places(struct lower *l, const struct pto_region *r, tile_places *out)
{
    vec_foreach (struct pto_block *, b, &r->blocks)
        vec_foreach (struct pto_op *, op, &(*b)->ops) {
            if (makes_tiles(*op) && !add_place(l, *op, out))
                return false;
            vec_foreach (struct pto_region *, inner, &(*op)->regions)
                if (!find_places(l, *inner, out))
                    return false;
        }
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int space = strcmp(x->type->space, y->type->space);
    if (space)
        return space;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->op->span.line != y->op->span.line ? (x->op->span.line < y->op->span.line ? -1 : 1)
                                                : x->op->span.col - y->op->span.col;
}

static int add_tile(struct lower *l, struct tile t, bool accumulator, int64_t bytes)
{
    t.offset = l->tile_bytes;
    l->tile_bytes += (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    return build_tile(&l->build, t, accumulator);
}

static struct tile tile_like(const struct place *p)
{
    const struct pto_value *v = p->op->results.items[0];
    return (struct tile){.name = v->name + 1,
                         .rows = (int)rows_of_type(p->type),
                         .cols = (int)p->type->dims[1],
                         .elem = p->elem};
}

static void remember(struct lower *l, const struct place *p, int tile)
{
    int *kept = arena_new(l->arena, int);
    *kept = tile;
    map_put(&l->homes, p->op, kept);
}

/* One storage under all tiles whose places overlap: the first of them where all are as large, else bytes
 * of their own. */
static void add_cluster(struct lower *l, const struct place *p, size_t n, int64_t end)
{
    bool accumulator = is_accumulator(p->type), alike = true;
    for (size_t i = 1; i < n; i++)
        alike &= p[i].at == p->at && p[i].end <= p->end;
    struct tile home = tile_like(p);
    if (!alike)
        home = (struct tile){
            .name = home.name, .rows = 1, .cols = (int)(end - p->at), .elem = ELEM_U8};
    int whole = add_tile(l, home, accumulator, end - p->at);
    int64_t offset = l->tiles.items[whole].offset;
    for (size_t i = 0; i < n; i++) {
        struct tile t = tile_like(&p[i]);
        t.offset = offset + p[i].at - p->at;
        t.view_of = 1 + whole;
        bool first = alike && i == 0;
        remember(l, &p[i], first ? whole : build_tile(&l->build, t, accumulator));
    }
}

bool tiles_prepare(struct lower *l, const struct pto_op *func)
{
    tile_places places = {0};
    if (!find_places(l, func->regions.items[0], &places))
        return false;
    if (places.len)
        qsort(places.items, places.len, sizeof *places.items, by_place);
    for (size_t i = 0, n; i < places.len; i += n) {
        const struct place *p = &places.items[i];
        int64_t end = p->end;
        for (n = 1; i + n < places.len && p->at >= 0; n++) {
            const struct place *q = &p[n];
            if (strcmp(q->type->space, p->type->space) || q->at >= end)
                break;
            end = q->end > end ? q->end : end;
        }
        if (p->at >= 0)
            add_cluster(l, p, n, end);
        else
            remember(
                l, p,
                add_tile(l, tile_like(p), is_accumulator(p->type), tile_bytes(p->type, p->elem)));
    }
    return true;
}

static bool is_tile(struct lower *l, const struct pto_type *t, struct span at)
{
    bool known = t && t->kind == PTO_TILE && t->dims[0] > 0 && t->dims[1] > 0;
    return known || lower_error(l, at, "expected the type of a tile");
}

static struct operand valid_extent(int64_t valid, int extent)
{
    return imm_operand(valid == PTO_DYNAMIC ? extent : valid);
}

bool tiles_argument(struct lower *l, const struct pto_value *v, struct slot *out)
{
    struct tile t = {.name = v->name + 1};
    if (!is_tile(l, v->type, v->span) || !lower_need_elem(l, v->type->elem, v->span, &t.elem))
        return false;
    if (tile_bytes(v->type, t.elem) > MAX_TILE)
        return lower_error(l, v->span, "a tile of this size does not fit a core");
    t.rows = (int)v->type->dims[0];
    t.cols = (int)v->type->dims[1];
    *out = (struct slot){.kind = SLOT_TILE,
                         .elem = t.elem,
                         .region = -1,
                         .rows = valid_extent(v->type->valid[0], t.rows),
                         .cols = valid_extent(v->type->valid[1], t.cols)};
    out->tile = add_tile(l, t, is_accumulator(v->type), tile_bytes(v->type, t.elem));
    return true;
}

/* ---- names of tiles ---- */

static struct slot *new_tile(struct lower *l, const struct pto_op *op, int tile)
{
    const struct pto_value *v = op->results.items[0];
    struct slot *s = lower_new(l, v);
    s->kind = SLOT_TILE;
    s->tile = tile;
    s->elem = l->tiles.items[tile].elem;
    s->rows = valid_extent(v->type->valid[0], l->tiles.items[tile].rows);
    s->cols = valid_extent(v->type->valid[1], l->tiles.items[tile].cols);
    return s;
}

bool lower_alloc_tile(struct lower *l, const struct pto_op *op)
{
    const int *tile = map_get(&l->homes, op);
    struct slot *s = new_tile(l, op, *tile);
    const struct pto_operand *rows = pto_find_operand(op, "valid_row", 0),
                             *cols = pto_find_operand(op, "valid_col", 0);
    return (!rows || lower_number(l, rows, &s->rows)) && (!cols || lower_number(l, cols, &s->cols));
}

bool lower_validshape(struct lower *l, const struct pto_op *op)
{
    const struct slot *t = lower_slot(l, op, "", 0, SLOT_TILE);
    struct operand rows, cols;
    if (!t || op->operands.len != 3 || !lower_number(l, &op->operands.items[1], &rows) ||
        !lower_number(l, &op->operands.items[2], &cols))
        return false;
    struct slot *s = lower_new(l, op->operands.items[0].value);
    *s = *t;
    s->rows = rows;
    s->cols = cols;
    if (op->results.len)
        *lower_new(l, op->results.items[0]) = *s;
    return true;
}

static bool shape_of(struct lower *l, const struct pto_op *op, const struct pto_type *t,
                     struct tile *out)
{
    *out = (struct tile){0};
    if (!is_tile(l, t, op->span))
        return false;
    out->rows = (int)t->dims[0];
    out->cols = (int)t->dims[1];
    return lower_need_elem(l, t->elem, op->span, &out->elem);
}

static int view_of(struct lower *l, int tile, struct tile v)
{
    v.view_of = 1 + tile_home(l->tiles.items, tile);
    v.offset += l->tiles.items[tile].offset;
    return build_tile(&l->build, v, l->accumulators.items[tile]);
}

static bool has_room(struct lower *l, const struct pto_op *op, int tile, const struct tile *v)
{
    const struct tile *t = &l->tiles.items[tile];
    int64_t pitch = v->pitch ? v->pitch : v->cols,
            last = v->offset + ((v->rows - 1) * pitch + v->cols) * elem_size(v->elem),
            room = ((int64_t)(t->rows - 1) * tile_pitch(t) + t->cols) * elem_size(t->elem);
    return (v->offset >= 0 && last <= room) ||
           lower_error(l, op->span, "the tile '%s' has no room for this shape", t->name);
}

static bool compute(struct lower *l, const struct pto_op *op, enum tile_op_kind kind);

/* Another shape of the same memory: with a result, or of two tiles that alloc_tile has placed. */
bool lower_reshape(struct lower *l, const struct pto_op *op)
{
    const struct slot *src = pto_find_operand(op, "ins", 0) ? lower_slot(l, op, "ins", 0, SLOT_TILE)
                                                            : lower_slot(l, op, "", 0, SLOT_TILE);
    struct tile shape;
    if (!src)
        return false;
    if (!op->results.len) {
        const struct slot *dst = lower_slot(l, op, "outs", 0, SLOT_TILE);
        bool same =
            dst && tile_home(l->tiles.items, dst->tile) == tile_home(l->tiles.items, src->tile);
        return same || (dst && compute(l, op, TILE_COPY));
    }
    if (!shape_of(l, op, op->results.items[0]->type, &shape) || !has_room(l, op, src->tile, &shape))
        return false;
    shape.name = op->results.items[0]->name + 1;
    new_tile(l, op, view_of(l, src->tile, shape));
    return true;
}

/* A part whose place the run computes: what works on it works on a copy, transfers work on the part
 * itself. */
static bool placed_part(struct lower *l, const struct pto_op *op, const struct slot *src,
                        const struct tile *shape, struct operand row, struct operand col)
{
    struct builder *b = &l->build;
    const struct tile *t = &l->tiles.items[src->tile];
    int64_t pitch = tile_pitch(t), size = elem_size(t->elem);
    struct tile copy = *shape;
    if (src->placed)
        return lower_error(l, op->span, "a part of a part whose place the run computes is not run");
    if (copy.rows > t->rows || copy.cols > t->cols || copy.elem != t->elem)
        return lower_error(l, op->span, "the tile '%s' has no room for this shape", t->name);
    bool accumulator = l->accumulators.items[src->tile];
    int whole = src->tile;
    struct operand at =
        build_alu(b, ALU_ADD, build_scaled(b, row, pitch * size), build_scaled(b, col, size));
    int tile = add_tile(l, copy, accumulator, (int64_t)copy.rows * copy.cols * size);
    struct slot *s = new_tile(l, op, tile);
    s->placed = true;
    s->whole = whole;
    s->at = at;
    s->row = row;
    s->col = col;
    return true;
}

bool lower_subview(struct lower *l, const struct pto_op *op)
{
    const struct slot *src = lower_slot(l, op, "", 0, SLOT_TILE);
    const struct pto_operand *row = pto_find_operand(op, "index", 0),
                             *col = pto_find_operand(op, "index", 1);
    struct tile shape;
    if (!src || !op->results.len || !shape_of(l, op, op->results.items[0]->type, &shape))
        return false;
    if (!row || !col)
        return lower_error(l, op->span, "expected a row and a column");
    struct operand r, c;
    if (!lower_number(l, row, &r) || !lower_number(l, col, &c))
        return false;
    shape.name = op->results.items[0]->name + 1;
    if (r.reg != NO_REG || c.reg != NO_REG)
        return placed_part(l, op, src, &shape, r, c);
    const struct tile *t = &l->tiles.items[src->tile];
    shape.pitch = tile_pitch(t);
    shape.offset = (r.imm * shape.pitch + c.imm) * elem_size(t->elem);
    if (!has_room(l, op, src->tile, &shape))
        return false;
    new_tile(l, op, view_of(l, src->tile, shape));
    return true;
}

/* One of several tiles that lie one behind the other. */
bool lower_slot_of_tiles(struct lower *l, const struct pto_op *op)
{
    const struct slot *all = lower_slot(l, op, "", 0, SLOT_TILE);
    const struct pto_operand *index = pto_find_operand(op, "index", 0);
    struct tile shape;
    struct operand i;
    if (!all || !index || !op->results.len || !lower_number(l, index, &i) ||
        !shape_of(l, op, op->results.items[0]->type, &shape))
        return false;
    shape.name = op->results.items[0]->name + 1;
    struct operand row = build_scaled(&l->build, i, shape.rows);
    if (row.reg != NO_REG)
        return placed_part(l, op, all, &shape, row, imm_operand(0));
    shape.offset = row.imm * shape.cols * elem_size(shape.elem);
    if (!has_room(l, op, all->tile, &shape))
        return false;
    new_tile(l, op, view_of(l, all->tile, shape));
    return true;
}

/* ---- operations ---- */

/* Which unit copies from one space to another (pypto-ops-facts 1.4): NULL stands for any; the first
 * row that fits counts. */
static enum pipe mover(const char *from, const char *to)
{
    static const struct {
        const char *from, *to;
        enum pipe pipe;
    } movers[] = {
        {"acc", NULL, PIPE_FIX}, {"mat", "vec", PIPE_V}, {"mat", NULL, PIPE_MTE1},
        {"vec", "mat", PIPE_V},  {NULL, NULL, PIPE_V},
    };
    size_t i = 0;
    while ((movers[i].from && strcmp(movers[i].from, from)) ||
           (movers[i].to && strcmp(movers[i].to, to)))
        i++;
    return movers[i].pipe;
}

static const char *space_of(const struct pto_op *op, const char *group)
{
    const struct pto_operand *o = pto_find_operand(op, group, 0);
    const struct pto_type *t = o && o->value ? o->value->type : NULL;
    return t && t->kind == PTO_TILE ? t->space : "vec";
}

/* The unit of an operation without one of its own: matrices are multiplied by M, what has "mov",
 * "extract" or "insert" in its name is a move. */
static enum pipe unit_of(const struct pto_op *op)
{
    const char *name = op->name + strlen("pto.");
    if (!strncmp(name, "tmatmul", 7) || !strncmp(name, "tgemv", 5))
        return PIPE_M;
    bool moves = !strncmp(name, "tmov", 4) || !strncmp(name, "textract", 8) ||
                 !strncmp(name, "tinsert", 7) || !strncmp(name, "treshape", 8);
    return moves ? mover(space_of(op, "ins"), space_of(op, "outs")) : PIPE_V;
}

static void emit(struct lower *l, struct tile_op op)
{
    vec_push(l->arena, &l->tile_ops, op);
    struct insn i = build_insn(&l->build, I_TILE_OP);
    i.aux = (int32_t)l->tile_ops.len - 1;
    build_emit(&l->build, i);
}

/* The part into its copy, or back, by the unit that works on it. */
static void copy_part(struct lower *l, const struct slot *s, enum pipe pipe, bool back)
{
    struct tile_op t = {.kind = back ? TILE_INSERT : TILE_PART,
                        .name = BUILD_COPY,
                        .pipe = pipe,
                        .dst = back ? s->whole : s->tile,
                        .src = {s->whole, s->tile},
                        .nsrc = back ? 2 : 1,
                        .scalar = imm_operand(0),
                        .rows = s->row,
                        .cols = s->col};
    emit(l, t);
}

/* A tile that is read; what an operation writes is written back when it has been emitted. */
static int read_tile(struct lower *l, const struct slot *s, enum pipe pipe)
{
    if (s->placed)
        copy_part(l, s, pipe, false);
    return s->tile;
}

static void write_back(struct lower *l, const struct slot *s, enum pipe pipe)
{
    if (s->placed)
        copy_part(l, s, pipe, true);
}

struct inputs {
    int src[TILE_MAX_SRC], nsrc;
    struct operand scalar, mixed; /* the last number; all numbers and attributes as one */
    enum elem scalar_elem;
};

static bool inputs_of(struct lower *l, const struct pto_op *op, struct inputs *in)
{
    *in =
        (struct inputs){.scalar = imm_operand(0), .mixed = imm_operand(0), .scalar_elem = ELEM_I64};
    vec_foreach (const struct pto_attr, a, &op->attrs)
        for (const char *c = a->text; c && *c; c++)
            in->mixed.imm = (in->mixed.imm * 31 + *c) & INT32_MAX;
    for (int i = 0; i < pto_count_operands(op, "ins"); i++) {
        const struct pto_operand *o = pto_find_operand(op, "ins", i);
        const struct slot *s = o->value ? map_get(&l->slots, o->value) : NULL;
        if (s && s->kind == SLOT_TILE) {
            if (in->nsrc == TILE_MAX_SRC)
                return lower_error(l, op->span, "'%s' reads more than %d tiles", op->spelled,
                                   TILE_MAX_SRC);
            in->src[in->nsrc++] = read_tile(l, s, unit_of(op));
            continue;
        }
        if (!lower_number(l, o, &in->scalar))
            return false;
        in->scalar_elem = s ? s->elem : ELEM_I64;
        in->mixed = build_alu(&l->build, ALU_MUL, in->mixed, imm_operand(1000003));
        in->mixed = build_alu(&l->build, ALU_ADD, in->mixed, in->scalar);
    }
    return true;
}

static int cast_mode(const struct pto_op *op)
{
    static const char *const modes[] = {
        [CAST_NONE] = "NONE",   [CAST_RINT] = "RINT", [CAST_ROUND] = "ROUND",
        [CAST_FLOOR] = "FLOOR", [CAST_CEIL] = "CEIL", [CAST_TRUNC] = "TRUNC",
        [CAST_ODD] = "ODD"};
    const struct pto_attr *a = pto_find_attr(op, "rmode");
    for (int i = 0; a && a->word && i < (int)(sizeof modes / sizeof *modes); i++)
        if (!strcmp(modes[i], a->word))
            return i;
    return CAST_ROUND;
}

/* Elements that the machine only moves. */
static bool has_carried(const struct pto_op *op)
{
    vec_foreach (const struct pto_operand, o, &op->operands)
        if (o->value && o->value->type->elem && lower_is_carried(o->value->type->elem))
            return true;
    return false;
}

/* The arithmetic takes the tiles that it is given as they are: rows, columns and elements. */
static bool exact(const struct lower *l, const struct pto_op *op, enum tile_op_kind kind,
                  const struct inputs *in, int dst)
{
    enum tile_form form = (enum tile_form)tile_op_rows[kind].form;
    int need = form == FORM_BINARY ? 2 : 1;
    const struct tile *d = &l->tiles.items[dst];
    if (form == FORM_OPAQUE || in->nsrc < need || (kind != TILE_COPY && has_carried(op)))
        return false;
    for (int i = 0; i < need; i++) {
        const struct tile *s = &l->tiles.items[in->src[i]];
        bool like = form == FORM_CONVERT || s->elem == d->elem;
        if (!like || s->rows != d->rows || (form != FORM_ROWS && s->cols != d->cols))
            return false;
    }
    return true;
}

static struct tile_op arithmetic(struct lower *l, const struct pto_op *op, enum tile_op_kind kind,
                                 const struct inputs *in, int dst)
{
    struct tile_op t = {.kind = kind, .name = op->name, .pipe = unit_of(op), .dst = dst};
    t.nsrc = tile_op_rows[kind].form == FORM_BINARY ? 2 : 1;
    memcpy(t.src, in->src, sizeof t.src);
    t.scalar = imm_operand(0);
    if (kind == TILE_CAST)
        t.scalar = imm_operand(cast_mode(op));
    else if (tile_op_rows[kind].form == FORM_SCALAR)
        t.scalar = lower_convert(l, in->scalar, in->scalar_elem, l->tiles.items[in->src[0]].elem);
    return t;
}

bool lower_is_vector(const struct pto_type *t)
{
    return !strncmp(t->text, "vector<", 7);
}

/* Arithmetic of that kind, where the tiles are as it takes them; else a function of all that is read. */
static bool compute(struct lower *l, const struct pto_op *op, enum tile_op_kind kind)
{
    struct inputs in;
    int outs = pto_count_operands(op, "outs");
    if (!inputs_of(l, op, &in))
        return false;
    if (!outs)
        return lower_error(l, op->span, "'%s' writes no tile", op->spelled);
    for (int i = 0; i < outs; i++) {
        const struct pto_operand *o = pto_find_operand(op, "outs", i);
        if (o->value && lower_is_vector(o->value->type))
            continue;
        const struct slot *dst = lower_slot(l, op, "outs", i, SLOT_TILE);
        if (!dst)
            return false;
        if (outs == 1 && exact(l, op, kind, &in, dst->tile)) {
            emit(l, arithmetic(l, op, kind, &in, dst->tile));
            write_back(l, dst, unit_of(op));
            continue;
        }
        struct tile_op t = {.kind = TILE_UNINTERPRETED,
                            .name = op->name,
                            .pipe = unit_of(op),
                            .dst = dst->tile,
                            .nsrc = in.nsrc,
                            .scalar = in.mixed};
        memcpy(t.src, in.src, sizeof t.src);
        emit(l, t);
        write_back(l, dst, t.pipe);
    }
    return true;
}

/* What the table does not know is no arithmetic that is known. */
bool lower_compute(struct lower *l, const struct pto_op *op)
{
    return compute(
        l, op, pto_op_find(op->name) ? (enum tile_op_kind)lower_detail(op) : TILE_UNINTERPRETED);
}

bool lower_fill(struct lower *l, const struct pto_op *op)
{
    struct inputs in;
    const struct slot *dst = lower_slot(l, op, "outs", 0, SLOT_TILE);
    enum tile_op_kind kind = (enum tile_op_kind)lower_detail(op);
    if (dst && has_carried(op))
        return compute(l, op, TILE_UNINTERPRETED);
    if (!dst || !inputs_of(l, op, &in))
        return false;
    const struct pto_attr *down = pto_find_attr(op, "descending");
    if (kind == TILE_RAMP && down && (down->kind == PTO_UNIT || down->number))
        kind = TILE_RAMP_DOWN;
    struct tile_op t = {.kind = kind,
                        .name = op->name,
                        .pipe = kind == TILE_FILL ? PIPE_V : PIPE_S,
                        .dst = dst->tile};
    t.scalar = lower_convert(l, in.scalar, in.scalar_elem, dst->elem);
    emit(l, t);
    write_back(l, dst, t.pipe);
    return true;
}

bool lower_move(struct lower *l, const struct pto_op *op)
{
    struct inputs in;
    const struct slot *dst = lower_slot(l, op, "outs", 0, SLOT_TILE);
    if (!dst || !inputs_of(l, op, &in))
        return false;
    bool plain = in.nsrc == 1 && pto_count_operands(op, "ins") == 1 &&
                 pto_count_operands(op, "outs") == 1 && !op->attrs.len;
    if (!plain || !exact(l, op, TILE_COPY, &in, dst->tile))
        return compute(l, op, TILE_UNINTERPRETED);
    struct tile_op t = {.kind = TILE_COPY,
                        .name = op->name,
                        .pipe = unit_of(op),
                        .dst = dst->tile,
                        .nsrc = 1,
                        .scalar = imm_operand(0)};
    t.src[0] = in.src[0];
    emit(l, t);
    write_back(l, dst, t.pipe);
    return true;
}

/* What is not valid of the source becomes the padding that the type of the result says: 0 nothing, 1
 * zeros, 2 the greatest, 3 the least number. */
bool lower_fillpad(struct lower *l, const struct pto_op *op)
{
    const struct slot *src = lower_slot(l, op, "ins", 0, SLOT_TILE);
    const struct slot *dst = src ? lower_slot(l, op, "outs", 0, SLOT_TILE) : NULL;
    struct inputs in;
    if (!dst || !inputs_of(l, op, &in))
        return false;
    const char *type = pto_find_operand(op, "outs", 0)->value->type->text,
               *pad = strstr(type, "pad=");
    bool zeros = pad && pad[4] == '1';
    if (!zeros || !exact(l, op, TILE_COPY, &in, dst->tile) || src->elem != dst->elem)
        return compute(l, op, TILE_UNINTERPRETED);
    struct tile_op t = {.kind = TILE_FILLPAD,
                        .name = op->name,
                        .pipe = !strcmp(space_of(op, "ins"), "mat") ? PIPE_MTE1 : PIPE_V,
                        .dst = dst->tile,
                        .nsrc = 1,
                        .scalar = imm_operand(0),
                        .rows = src->rows,
                        .cols = src->cols};
    t.src[0] = src->tile;
    emit(l, t);
    write_back(l, dst, t.pipe);
    return true;
}

/* The accumulator in another type, scaled by the numbers of a tile, on its way to memory. */
bool lower_tstore_fp(struct lower *l, const struct pto_op *op)
{
    const struct slot *acc = lower_slot(l, op, "ins", 0, SLOT_TILE),
                      *by = acc ? lower_slot(l, op, "ins", 1, SLOT_TILE) : NULL,
                      *v = by ? lower_slot(l, op, "outs", 0, SLOT_VIEW) : NULL;
    if (!v)
        return false;
    struct tile like = l->tiles.items[acc->tile];
    struct tile scaled = {.name = op->name, .rows = like.rows, .cols = like.cols, .elem = v->elem};
    struct slot s = *acc;
    s.tile = add_tile(l, scaled, true, (int64_t)like.rows * like.cols * elem_size(v->elem));
    struct tile_op t = {.kind = TILE_UNINTERPRETED,
                        .name = op->name,
                        .pipe = PIPE_FIX,
                        .dst = s.tile,
                        .src = {acc->tile, by->tile},
                        .nsrc = 2,
                        .scalar = imm_operand(0)};
    emit(l, t);
    return lower_transfer(l, op, I_FIX, v, &s, lower_adds(op));
}

/* ---- tiles seen by the scalar unit ---- */

static struct insn tile_access(struct lower *l, enum insn_op op, const struct slot *t,
                               struct operand at)
{
    struct insn i = build_insn(&l->build, op);
    i.aux = t->tile;
    i.ra = at.reg;
    i.imm = at.imm;
    return i;
}

static struct operand tile_load(struct lower *l, const struct slot *t, struct operand at)
{
    struct insn i = tile_access(l, I_TILE_LD, t, at);
    i.rd = build_reg(&l->build, NULL);
    build_emit(&l->build, i);
    return reg_operand(i.rd);
}

bool lower_tile_read(struct lower *l, const struct pto_op *op)
{
    const struct slot *t = lower_slot(l, op, "ins", 0, SLOT_TILE);
    const struct pto_operand *index = pto_find_operand(op, "ins", 1);
    struct operand at = imm_operand(0);
    if (!t || (index && !lower_number(l, index, &at)))
        return false;
    read_tile(l, t, PIPE_S);
    return lower_set_number(l, op, tile_load(l, t, at));
}

bool lower_tile_write(struct lower *l, const struct pto_op *op)
{
    const struct slot *t = lower_slot(l, op, "outs", 0, SLOT_TILE);
    const struct pto_operand *index = pto_find_operand(op, "ins", 0),
                             *v = pto_find_operand(op, "ins", 1);
    struct operand at, value;
    if (!t || !index || !v)
        return lower_error(l, op->span, "expected an index, a value and a tile");
    if (!lower_number(l, index, &at) || !lower_number(l, v, &value))
        return false;
    read_tile(l, t, PIPE_S);
    build_emit(&l->build, insn_with(tile_access(l, I_TILE_ST, t, at), value));
    write_back(l, t, PIPE_S);
    return true;
}

/* Printing reads every valid element, of memory through the cache; the text goes nowhere. */
bool lower_print(struct lower *l, const struct pto_op *op)
{
    struct builder *b = &l->build;
    const struct pto_operand *o = pto_find_operand(op, "ins", 0);
    const struct slot *s = o && o->value ? map_get(&l->slots, o->value) : NULL;
    struct gm_rows r = {.rows = s ? s->rows : imm_operand(0), .cols = s ? s->cols : imm_operand(0)};
    int row, col;
    if (!s || (s->kind != SLOT_TILE && s->kind != SLOT_VIEW))
        return lower_error(l, op->span, "expected a tile or a view");
    if (s->kind == SLOT_VIEW && !lower_even_rows(l, op, s, &r))
        return false;
    if (s->kind == SLOT_TILE)
        read_tile(l, s, PIPE_S);
    int last_row = build_begin_count(b, &row, r.rows),
        last_col = build_begin_count(b, &col, r.cols);
    if (s->kind == SLOT_TILE) {
        struct operand at = build_scaled(b, reg_operand(row), l->tiles.items[s->tile].cols);
        tile_load(l, s, build_alu(b, ALU_ADD, at, reg_operand(col)));
    } else {
        struct operand at = build_plus(b, r.addr, build_scaled(b, reg_operand(row), r.gm_stride));
        at = build_plus(b, at, build_scaled(b, reg_operand(col), elem_size(r.elem)));
        struct insn load = insn_access(build_like(b), I_LD, at, r.elem, r.region);
        load.rd = build_reg(b, NULL);
        build_emit(b, load);
        build_accesses(b, r.use.root, r.use.peer);
    }
    build_end_count(b, col, last_col, 1);
    build_end_count(b, row, last_row, 1);
    return true;
}

bool lower_valid_extents(struct lower *l, const struct pto_op *op)
{
    const struct slot *t = lower_slot(l, op, "", 0, SLOT_TILE);
    size_t want = lower_detail(op) ? 1 : 2;
    if (!t || op->results.len != want)
        return false;
    for (size_t i = 0; i < want; i++) {
        struct slot *s = lower_new(l, op->results.items[i]);
        bool cols = lower_detail(op) == 2 || i == 1;
        s->kind = SLOT_NUMBER;
        s->elem = ELEM_I64;
        s->op = cols ? t->cols : t->rows;
    }
    return true;
}

/* ---- arrays of the scalar unit ---- */

/* local_array<8x8xf32>: as a tile that nobody else reaches. */
bool lower_array(struct lower *l, const struct pto_op *op)
{
    const struct pto_value *v = op->results.len ? op->results.items[0] : NULL;
    const char *dims = v ? strchr(v->type->text, '<') : NULL;
    int64_t extent[2] = {1, 1};
    int n = 0;
    struct tile t = {.name = v ? v->name + 1 : NULL};
    for (char *end; dims && n < 2; n++) {
        int64_t given = strtoll(dims + 1, &end, 10);
        if (end == dims + 1 || *end != 'x')
            break;
        extent[n] = given;
        dims = end;
    }
    if (!n || extent[0] < 1 || extent[0] > MAX_TILE || extent[1] < 1 || extent[1] > MAX_TILE ||
        extent[0] * extent[1] > MAX_TILE)
        return lower_error(l, op->span, "expected an array of one or two known dimensions");
    const char *elem = arena_strndup(l->arena, dims + 1, strcspn(dims + 1, ">"));
    if (!lower_need_elem(l, elem, op->span, &t.elem))
        return false;
    t.rows = (int)extent[0];
    t.cols = (int)extent[1];
    struct slot *s = lower_new(l, v);
    s->kind = SLOT_TILE;
    s->elem = t.elem;
    s->tile = add_tile(l, t, false, extent[0] * extent[1] * elem_size(t.elem));
    s->rows = imm_operand(extent[0]);
    s->cols = imm_operand(extent[1]);
    return true;
}

/* Get, or with detail 1 set. */
bool lower_array_access(struct lower *l, const struct pto_op *op)
{
    const struct slot *a = lower_slot(l, op, "", 0, SLOT_TILE);
    const struct pto_operand *row = pto_find_operand(op, "index", 0),
                             *col = pto_find_operand(op, "index", 1),
                             *v = pto_find_operand(op, "", 1);
    struct operand r, c = imm_operand(0), value;
    if (!a || !row || !lower_number(l, row, &r) || (col && !lower_number(l, col, &c)))
        return false;
    r = build_alu(&l->build, ALU_ADD, build_scaled(&l->build, r, l->tiles.items[a->tile].cols), c);
    if (!lower_detail(op))
        return lower_set_number(l, op, tile_load(l, a, r));
    if (!v || !lower_number(l, v, &value))
        return false;
    build_emit(&l->build, insn_with(tile_access(l, I_TILE_ST, a, r), value));
    return true;
}
