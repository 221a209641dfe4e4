/* SPDX-License-Identifier: MIT */
/* Tiles: where they lie, and what works on them. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "pto/lower.h"

/* ---- storage ---- */

/* A tile that alloc_tile makes at an address: [at, end) of its space. */
struct place {
    const struct pto_op *op;
    const struct pto_type *type;
    enum elem elem;
    int64_t at, end;
};
typedef VEC(struct place) place_list;

static bool is_accumulator(const struct pto_type *t)
{
    return !strcmp(t->space, "acc");
}

static int64_t tile_bytes(const struct pto_type *t, enum elem e)
{
    return t->dims[0] * t->dims[1] * elem_size(e);
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

static bool add_place(struct lower *l, const struct pto_op *op, place_list *out)
{
    struct place p = {.op = op};
    p.type = op->results.len ? op->results.items[0]->type : NULL;
    if (!p.type || p.type->kind != PTO_TILE)
        return lower_error(l, op->span, "expected the type of a tile");
    if (!lower_need_elem(l, p.type->elem, op->span, &p.elem))
        return false;
    if (tile_bytes(p.type, p.elem) < 1 || tile_bytes(p.type, p.elem) > 1 << 24)
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

static bool find_places(struct lower *l, const struct pto_region *r, place_list *out)
{
    vec_foreach (struct pto_block *, b, &r->blocks)
        vec_foreach (struct pto_op *, op, &(*b)->ops) {
            if (!strcmp((*op)->name, "pto.alloc_tile") && !add_place(l, *op, out))
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
                         .rows = (int)p->type->dims[0],
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
    place_list places = {0};
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

/* ---- names of tiles ---- */

static struct operand valid_extent(int64_t valid, int extent)
{
    return imm_operand(valid == PTO_DYNAMIC ? extent : valid);
}

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
    if (!t || t->kind != PTO_TILE)
        return lower_error(l, op->span, "expected the type of a tile");
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
        return same || (dst && lower_compute(l, op));
    }
    if (!shape_of(l, op, op->results.items[0]->type, &shape) || !has_room(l, op, src->tile, &shape))
        return false;
    shape.name = op->results.items[0]->name + 1;
    new_tile(l, op, view_of(l, src->tile, shape));
    return true;
}

bool lower_subview(struct lower *l, const struct pto_op *op)
{
    const struct slot *src = lower_slot(l, op, "", 0, SLOT_TILE);
    const struct pto_operand *row = pto_find_operand(op, "index", 0),
                             *col = pto_find_operand(op, "index", 1);
    struct tile shape;
    int64_t r, c;
    if (!src || !op->results.len || !shape_of(l, op, op->results.items[0]->type, &shape))
        return false;
    if (!row || !col)
        return lower_error(l, op->span, "expected a row and a column");
    if (!lower_constant(l, row, "the place of a part of a tile", &r) ||
        !lower_constant(l, col, "the place of a part of a tile", &c))
        return false;
    const struct tile *t = &l->tiles.items[src->tile];
    shape.name = op->results.items[0]->name + 1;
    shape.pitch = tile_pitch(t);
    shape.offset = (r * shape.pitch + c) * elem_size(t->elem);
    if (!has_room(l, op, src->tile, &shape))
        return false;
    new_tile(l, op, view_of(l, src->tile, shape));
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
            in->src[in->nsrc++] = s->tile;
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

/* The arithmetic takes the tiles that it is given as they are: rows, columns and elements. */
static bool exact(const struct lower *l, enum tile_op_kind kind, const struct inputs *in, int dst)
{
    enum tile_form form = (enum tile_form)tile_op_rows[kind].form;
    int need = form == FORM_BINARY ? 2 : 1;
    const struct tile *d = &l->tiles.items[dst];
    if (form == FORM_OPAQUE || in->nsrc < need)
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

bool lower_compute(struct lower *l, const struct pto_op *op)
{
    struct inputs in;
    enum tile_op_kind kind = (enum tile_op_kind)lower_detail(op);
    int outs = pto_count_operands(op, "outs");
    if (!inputs_of(l, op, &in))
        return false;
    if (!outs)
        return lower_error(l, op->span, "'%s' writes no tile", op->spelled);
    for (int i = 0; i < outs; i++) {
        const struct slot *dst = lower_slot(l, op, "outs", i, SLOT_TILE);
        if (!dst)
            return false;
        if (outs == 1 && exact(l, kind, &in, dst->tile)) {
            emit(l, arithmetic(l, op, kind, &in, dst->tile));
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
    }
    return true;
}

bool lower_fill(struct lower *l, const struct pto_op *op)
{
    struct inputs in;
    const struct slot *dst = lower_slot(l, op, "outs", 0, SLOT_TILE);
    enum tile_op_kind kind = (enum tile_op_kind)lower_detail(op);
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
    if (!plain || !exact(l, TILE_COPY, &in, dst->tile))
        return lower_compute(l, op);
    struct tile_op t = {.kind = TILE_COPY,
                        .name = op->name,
                        .pipe = unit_of(op),
                        .dst = dst->tile,
                        .nsrc = 1,
                        .scalar = imm_operand(0)};
    t.src[0] = in.src[0];
    emit(l, t);
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
    if (!zeros || !exact(l, TILE_COPY, &in, dst->tile) || src->elem != dst->elem)
        return lower_compute(l, op);
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
    return true;
}

/* ---- tiles seen by the scalar unit ---- */

static struct insn tile_access(struct lower *l, enum insn_op op, int tile, struct operand at)
{
    struct insn i = build_insn(&l->build, op);
    i.aux = tile;
    i.ra = at.reg;
    i.imm = at.imm;
    return i;
}

bool lower_tile_read(struct lower *l, const struct pto_op *op)
{
    const struct slot *t = lower_slot(l, op, "ins", 0, SLOT_TILE);
    const struct pto_operand *index = pto_find_operand(op, "ins", 1);
    struct operand at = imm_operand(0);
    if (!t || (index && !lower_number(l, index, &at)))
        return false;
    struct insn i = tile_access(l, I_TILE_LD, t->tile, at);
    i.rd = build_reg(&l->build, NULL);
    build_emit(&l->build, i);
    return lower_set_number(l, op, reg_operand(i.rd));
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
    build_emit(&l->build, insn_with(tile_access(l, I_TILE_ST, t->tile, at), value));
    return true;
}
