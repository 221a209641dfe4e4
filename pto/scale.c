/* SPDX-License-Identifier: MIT */
#include "pto/scale.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 32, TILE_DIMS = 2, LINE_BYTES = 64 };

static const int64_t MAX_STRIDE = INT32_MAX; /* elements */

/* The extents of a view, a part of one, or a tile as they were, and which become smaller. */
struct shape {
    int n;
    int64_t was[PTO_MAX_DIMS];
    bool scaled[PTO_MAX_DIMS];
};

struct scaler {
    struct arena *arena;
    const struct pto_file *file;
    const struct pto_scale *all, *now;
    size_t n;
    int64_t by; /* what is scaled becomes that much less */
    struct diag *d;
    VEC(struct pto_op *) ops;
    VEC(const struct pto_value *) given; /* arguments of blocks */
    struct map shapes;                   /* value -> struct shape */
    struct map blocks;                   /* constant -> its block */
    struct map smaller;                  /* constant -> what stands for it where it is scaled */
    struct map counted;                  /* value that a scaled expression computes -> itself */
    struct map settled;                  /* operand whose meaning is known -> itself */
    bool any;
};

static bool fail(struct scaler *s, struct span at, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *why = arena_vprintf(s->arena, fmt, ap);
    va_end(ap);
    return diag_error(s->d, s->file->source, at, "scale %lld=%lld: %s", (long long)s->now->from,
                      (long long)s->now->to, why);
}

static bool is(const struct pto_op *op, const char *name)
{
    return op && !strcmp(op->name, name);
}

/* ---- looking at the file ---- */

static void collect(struct scaler *s, struct pto_block *b)
{
    vec_foreach (struct pto_value *, v, &b->args)
        vec_push(s->arena, &s->given, *v);
    vec_foreach (struct pto_op *, op, &b->ops) {
        vec_push(s->arena, &s->ops, *op);
        if (is(*op, "arith.constant") && (*op)->results.len)
            map_put(&s->blocks, (*op)->results.items[0], b);
        vec_foreach (struct pto_region *, r, &(*op)->regions)
            vec_foreach (struct pto_block *, inner, &(*r)->blocks)
                collect(s, *inner);
    }
}

static bool constant(const struct pto_operand *o, int64_t *out)
{
    const struct pto_op *def = o->value ? o->value->def : NULL;
    *out = o->number;
    if (!o->value)
        return true;
    if (!is(def, "arith.constant") || !def->attrs.len || def->attrs.items[0].kind != PTO_INT)
        return false;
    *out = def->attrs.items[0].number;
    return true;
}

static struct pto_operand *operand_of(struct pto_op *op, const char *group, int n)
{
    vec_foreach (struct pto_operand, o, &op->operands)
        if (!strcmp(o->group, group) && n-- == 0)
            return o;
    return NULL;
}

static void settle(struct scaler *s, const struct pto_operand *o)
{
    map_put(&s->settled, o, (void *)o);
}

/* ---- replacing ---- */

/* A constant of that type and value, in front of the block of another one. */
static const struct pto_value *new_constant(struct scaler *s, const struct pto_value *like,
                                            int64_t number)
{
    struct pto_block *b = map_get(&s->blocks, like);
    struct pto_op *op = arena_dup(s->arena, like->def, sizeof *op);
    struct pto_value *v = arena_dup(s->arena, like, sizeof *v);
    struct pto_attr attr = op->attrs.items[0];
    op->attrs.items = NULL;
    op->attrs.len = op->attrs.cap = 0;
    op->results.items = NULL;
    op->results.len = op->results.cap = 0;
    attr.number = number;
    v->def = op;
    vec_push(s->arena, &op->attrs, attr);
    vec_push(s->arena, &op->results, v);
    vec_push(s->arena, &b->ops, op);
    memmove(b->ops.items + 1, b->ops.items, (b->ops.len - 1) * sizeof *b->ops.items);
    b->ops.items[0] = op;
    map_put(&s->blocks, v, b);
    return v;
}

static void set_number(struct scaler *s, struct pto_operand *o, int64_t number)
{
    if (o->value)
        o->value = new_constant(s, o->value, number);
    else
        o->number = number;
    settle(s, o);
}

/* A constant number of elements along a dimension that becomes smaller. */
static bool divide(struct scaler *s, struct pto_operand *o, int64_t number)
{
    if (number % s->by)
        return fail(s, o->span, "%lld of the dimension is no multiple of %lld", (long long)number,
                    (long long)s->by);
    if (!number) {
        settle(s, o);
        return true;
    }
    const struct pto_value *known = o->value ? map_get(&s->smaller, o->value) : NULL;
    const struct pto_value *whole = o->value;
    if (known)
        o->value = known;
    else
        set_number(s, o, number / s->by);
    if (whole)
        map_put(&s->smaller, whole, (void *)o->value);
    settle(s, o);
    return true;
}

/* ---- expressions that count elements ---- */

static bool scale_operand(struct scaler *s, struct pto_operand *o, bool pointer, int depth);

/* What the difference of two pointers is made of says itself how far it is. */
static bool is_loaded(const struct pto_value *v, int depth)
{
    const struct pto_op *def = v ? v->def : NULL;
    if (!def || depth > MAX_DEPTH)
        return false;
    if (is(def, "pto.load_scalar"))
        return true;
    bool passes = is(def, "arith.index_cast") || is(def, "arith.divsi") || is(def, "arith.subi");
    return passes && def->operands.len && is_loaded(def->operands.items[0].value, depth + 1);
}

static bool scale_product(struct scaler *s, struct pto_op *op, const struct pto_operand *at)
{
    for (size_t i = 0; i < op->operands.len; i++) {
        int64_t number;
        struct pto_operand *o = &op->operands.items[op->operands.len - 1 - i];
        if (constant(o, &number) && number % s->by == 0)
            return divide(s, o, number);
    }
    return fail(s, at->span, "no factor of this place in the dimension is a multiple of %lld",
                (long long)s->by);
}

static bool scale_expression(struct scaler *s, struct pto_operand *o, bool pointer, int depth)
{
    struct pto_op *def = (struct pto_op *)(uintptr_t)o->value->def;
    bool linear = is(def, "arith.addi") || is(def, "arith.subi") || is(def, "arith.maxsi") ||
                  is(def, "arith.minsi") || is(def, "arith.index_cast");
    if (is(def, "arith.muli"))
        return scale_product(s, def, o);
    if (!linear || depth > MAX_DEPTH)
        return fail(s, o->span, "it is not known how this place in the dimension is computed%s%s%s",
                    def ? ", by '" : "", def ? def->spelled : "", def ? "'" : "");
    vec_foreach (struct pto_operand, x, &def->operands)
        if (!scale_operand(s, x, pointer, depth + 1))
            return false;
    return true;
}

/* pointer: what moves a pointer may be a difference of pointers. */
static bool scale_operand(struct scaler *s, struct pto_operand *o, bool pointer, int depth)
{
    int64_t number;
    if (constant(o, &number))
        return divide(s, o, number);
    if (pointer && is_loaded(o->value, 0))
        return true;
    settle(s, o);
    if (map_get(&s->counted, o->value))
        return true;
    map_put(&s->counted, o->value, (void *)o->value);
    return scale_expression(s, o, pointer, depth);
}

/* ---- shapes ---- */

static bool is_shaped(const struct pto_value *v)
{
    enum pto_type_kind k = v ? v->type->kind : PTO_SCALAR;
    return k == PTO_VIEW || k == PTO_PARTITION || k == PTO_TILE || k == PTO_TILES;
}

static struct shape *shape_of(struct scaler *s, const struct pto_value *v)
{
    struct shape *x = map_get(&s->shapes, v);
    if (x)
        return x;
    x = arena_new(s->arena, struct shape);
    x->n = v->type->ndims;
    for (int i = 0; i < x->n; i++) {
        x->was[i] = v->type->dims[i];
        x->scaled[i] = x->was[i] == s->now->from;
        s->any |= x->scaled[i];
    }
    map_put(&s->shapes, v, x);
    return x;
}

static bool is_scaled(const struct shape *x)
{
    for (int i = 0; i < x->n; i++)
        if (x->scaled[i])
            return true;
    return false;
}

/* The type of a value with its extents divided. */
static bool set_type(struct scaler *s, const struct pto_value *v, struct span at)
{
    const struct shape *x = shape_of(s, v);
    struct pto_type *t = arena_dup(s->arena, v->type, sizeof *t);
    bool tile = t->kind == PTO_TILE || t->kind == PTO_TILES;
    for (int i = 0; i < x->n; i++) {
        int64_t *const parts[] = {&t->dims[i], tile ? &t->valid[i] : NULL};
        for (int k = 0; k < 2 && x->scaled[i]; k++) {
            if (!parts[k] || *parts[k] == PTO_DYNAMIC)
                continue;
            if (*parts[k] % s->by)
                return fail(s, at, "%lld of the dimension is no multiple of %lld",
                            (long long)*parts[k], (long long)s->by);
            *parts[k] /= s->by;
        }
    }
    ((struct pto_value *)(uintptr_t)v)->type = t;
    return true;
}

/* ---- views ---- */

/* A multiple of the dimension that is not said may be rows of it, or something else. */
static bool extent_is_clear(struct scaler *s, const struct pto_operand *o, int64_t extent)
{
    if (extent <= s->now->from || extent % s->now->from)
        return true;
    for (size_t i = 0; i < s->n; i++)
        if (s->all[i].from == extent)
            return true;
    return fail(s, o->span, "whether %lld is %lld times the dimension is not known; say it too",
                (long long)extent, (long long)(extent / s->now->from));
}

/* Of an element: "bf16", "f8E4M3". */
static int bits_of(const struct pto_value *v)
{
    size_t n = strcspn(v->type->elem, "123456789");
    int bits = (int)strtol(v->type->elem + n, NULL, 10);
    return bits ? bits : 8;
}

/* Rows that filled lines of the cache go on to: otherwise they would share them. */
static bool lines_stay(struct scaler *s, const struct pto_op *op, const struct pto_operand *o,
                       int64_t was, int64_t is)
{
    int64_t bits = bits_of(op->results.items[0]), line = 8 * LINE_BYTES;
    return was * bits % line || is * bits % line == 0 ||
           fail(s, o->span,
                "rows of %lld bytes would share lines of the cache, those of %lld do not",
                (long long)(is * bits / 8), (long long)(was * bits / 8));
}

static bool scale_stride(struct scaler *s, struct pto_op *op, const struct shape *x, int i)
{
    struct pto_operand *o = operand_of(op, "strides", i);
    int64_t stride, inner, left;
    bool known = constant(o, &stride);
    settle(s, o);
    left = stride;
    for (int j = 0; j < x->n; j++) {
        bool inside = j != i && x->scaled[j] && constant(operand_of(op, "strides", j), &inner);
        if (!inside || (known && inner >= stride) || (!known && j < i))
            continue;
        if (!known || inner < 1 || inner > MAX_STRIDE || stride > MAX_STRIDE ||
            stride % (inner * s->now->from))
            return fail(s, o->span, "this stride is no multiple of the dimension's %lld elements",
                        (long long)s->now->from);
        left /= s->by;
    }
    if (left != stride)
        set_number(s, o, left);
    return left == stride || lines_stay(s, op, o, stride, left);
}

/* Strides are looked at as they were, from the outermost one on. */
static bool scale_view(struct scaler *s, struct pto_op *op)
{
    struct shape *x = shape_of(s, op->results.items[0]);
    int n = pto_count_operands(op, "shape");
    if (n > PTO_MAX_DIMS || n != x->n || pto_count_operands(op, "strides") != n)
        return true; /* lowering says what is wrong */
    for (int i = 0; i < x->n; i++) {
        struct pto_operand *o = operand_of(op, "shape", i);
        x->was[i] = PTO_DYNAMIC;
        if (!constant(o, &x->was[i]))
            continue;
        if (!extent_is_clear(s, o, x->was[i]))
            return false;
        x->scaled[i] = x->was[i] == s->now->from;
        s->any |= x->scaled[i];
        if (x->scaled[i] && !divide(s, o, x->was[i]))
            return false;
    }
    if (!is_scaled(x))
        return true;
    int64_t strides[PTO_MAX_DIMS];
    int order[PTO_MAX_DIMS];
    for (int i = 0; i < x->n; i++) {
        int at = i;
        strides[i] = INT64_MAX;
        constant(operand_of(op, "strides", i), &strides[i]);
        for (; at > 0 && strides[order[at - 1]] < strides[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (int i = 0; i < x->n; i++)
        if (!scale_stride(s, op, x, order[i]))
            return false;
    return set_type(s, op->results.items[0], op->span);
}

static bool scale_part(struct scaler *s, struct pto_op *op)
{
    const struct pto_value *v = op->operands.len ? op->operands.items[0].value : NULL;
    const struct shape *whole = v && is_shaped(v) ? shape_of(s, v) : NULL;
    struct shape *x = shape_of(s, op->results.items[0]);
    if (!whole || pto_count_operands(op, "sizes") != whole->n || x->n != whole->n ||
        pto_count_operands(op, "offsets") != whole->n)
        return true;
    for (int i = 0; i < whole->n; i++) {
        struct pto_operand *size = operand_of(op, "sizes", i);
        int64_t number;
        x->scaled[i] = whole->scaled[i];
        if (!whole->scaled[i])
            continue;
        if (!constant(size, &number))
            return fail(s, size->span, "how much of the dimension this is must be known");
        x->was[i] = number;
        int64_t at;
        if (number == 1 && constant(operand_of(op, "offsets", i), &at) && at == 0) {
            x->scaled[i] = false; /* the first element */
            continue;
        }
        if (!divide(s, size, number) || !scale_operand(s, operand_of(op, "offsets", i), false, 0))
            return false;
    }
    return set_type(s, op->results.items[0], op->span);
}

/* ---- tiles ---- */

/* Its last two extents, where it has no more. */
static bool plane_of(struct scaler *s, const struct pto_operand *o, struct shape **x, int *first)
{
    if (!o->value || !is_shaped(o->value))
        return false;
    *x = shape_of(s, o->value);
    *first = (*x)->n - TILE_DIMS;
    for (int i = 0; i < *first; i++)
        if ((*x)->was[i] != 1)
            return false;
    return *first >= 0;
}

/* Tiles with an extent that becomes smaller in the same operation become so too. True: one did. */
static bool spread(struct scaler *s, const struct pto_op *op)
{
    bool more = false;
    vec_foreach (const struct pto_operand, o, &op->operands)
        vec_foreach (const struct pto_operand, other, &op->operands) {
            struct shape *x, *y;
            int i, k;
            if (o == other || !plane_of(s, o, &x, &i) || !plane_of(s, other, &y, &k) ||
                other->value->type->kind != PTO_TILE)
                continue;
            for (int axis = 0; axis < TILE_DIMS; axis++)
                if (x->scaled[i + axis] && !y->scaled[k + axis] &&
                    x->was[i + axis] == y->was[k + axis])
                    more = y->scaled[k + axis] = true;
        }
    return more;
}

/* Operations that name places in tiles, or take them as they lie. */
static const char *const by_place[] = {"pto.subview",
                                       "pto.treshape",
                                       "pto.set_validshape",
                                       "pto.get_validshape",
                                       "pto.tgetval",
                                       "pto.tsetval",
                                       "pto.textract",
                                       "pto.tinsert",
                                       "pto.tgather",
                                       "pto.tscatter",
                                       "pto.ttrans",
                                       "pto.tmrgsort",
                                       "pto.tsort32",
                                       "pto.mgather",
                                       "pto.mscatter",
                                       "pto.tgatherb",
                                       "pto.get_tensor_view_dim",
                                       "pto.get_tensor_view_stride"};

static bool takes_shapes(const struct pto_op *op)
{
    for (size_t i = 0; i < sizeof by_place / sizeof *by_place; i++)
        if (is(op, by_place[i]))
            return false;
    return !strncmp(op->name, "pto.t", 5)
               ? strncmp(op->name, "pto.tpush", 9) && strncmp(op->name, "pto.tpop", 8)
               : !strncmp(op->name, "pto.comm.", 9) || !strncmp(op->name, "pto.cmo.", 8) ||
                     is(op, "pto.partition_view");
}

/* Two planes that had one extent have one afterwards; a product takes extents crosswise. */
static bool agree(struct scaler *s, const struct pto_op *op)
{
    bool crosswise = strstr(op->name, "matmul") || strstr(op->name, "gemv");
    vec_foreach (const struct pto_operand, o, &op->operands)
        vec_foreach (const struct pto_operand, other, &op->operands) {
            struct shape *x, *y;
            int i, k;
            if (o == other || !plane_of(s, o, &x, &i) || !plane_of(s, other, &y, &k))
                continue;
            for (int axis = 0; axis < TILE_DIMS; axis++)
                if (x->scaled[i + axis] &&
                    (crosswise ? x->was[i + axis] != s->now->from
                               : !y->scaled[k + axis] && x->was[i + axis] == y->was[k + axis]))
                    return fail(
                        s, other->span,
                        "%lld counts the dimension in one operand of '%s' and not in this one",
                        (long long)x->was[i + axis], op->spelled);
        }
    return true;
}

static bool check_uses(struct scaler *s, const struct pto_op *op)
{
    vec_foreach (const struct pto_operand, o, &op->operands)
        if (is_shaped(o->value) && is_scaled(shape_of(s, o->value)) && !takes_shapes(op))
            return fail(s, o->span, "what '%s' makes of the dimension is not known", op->spelled);
    return !takes_shapes(op) || is(op, "pto.partition_view") || agree(s, op);
}

static bool scale_alloc(struct scaler *s, struct pto_op *op)
{
    static const char *const valid[TILE_DIMS] = {"valid_row", "valid_col"};
    const struct shape *x = shape_of(s, op->results.items[0]);
    for (int i = 0; i < TILE_DIMS && x->n == TILE_DIMS; i++) {
        struct pto_operand *o = operand_of(op, valid[i], 0);
        int64_t number;
        if (!o || !x->scaled[i])
            continue;
        if (!constant(o, &number))
            return fail(s, o->span, "how much of the dimension is valid must be known");
        if (!divide(s, o, number))
            return false;
    }
    return true;
}

static bool scale_tiles(struct scaler *s)
{
    for (bool more = true; more;) {
        more = false;
        vec_foreach (struct pto_op *, op, &s->ops)
            more |= takes_shapes(*op) && spread(s, *op);
    }
    vec_foreach (struct pto_op *, op, &s->ops)
        if (!check_uses(s, *op))
            return false;
    vec_foreach (const struct pto_value *, v, &s->given)
        if (is_shaped(*v) && is_scaled(shape_of(s, *v)) && !set_type(s, *v, (*v)->span))
            return false;
    vec_foreach (struct pto_op *, op, &s->ops)
        vec_foreach (struct pto_value *, v, &(*op)->results)
            if ((*v)->type->kind == PTO_TILE && is_scaled(shape_of(s, *v)) &&
                (!set_type(s, *v, (*op)->span) || !scale_alloc(s, *op)))
                return false;
    return true;
}

/* ---- pointers ---- */

static const struct pto_value *root_of(const struct pto_value *v)
{
    while (v && v->def && v->def->operands.len &&
           (is(v->def, "pto.addptr") || is(v->def, "pto.make_tensor_view")))
        v = v->def->operands.items[0].value;
    return v;
}

static bool same_root(struct scaler *s, const struct pto_value *root)
{
    vec_foreach (struct pto_op *, op, &s->ops)
        if (is(*op, "pto.make_tensor_view") && root_of((*op)->results.items[0]) == root &&
            is_scaled(shape_of(s, (*op)->results.items[0])))
            return true;
    return false;
}

/* A view of a tensor that others scale reaches no further than its first row, or has the dimension too. */
static bool view_agrees(struct scaler *s, const struct pto_op *op)
{
    const struct shape *x = shape_of(s, op->results.items[0]);
    int64_t all = 1;
    for (int i = 0; i < x->n; i++)
        all = x->was[i] < 0 || x->was[i] > s->now->to || all > s->now->to ? s->now->to + 1
                                                                          : all * x->was[i];
    return is_scaled(x) || all <= s->now->to ||
           fail(s, op->span, "another view of this memory has the dimension, and this one has not");
}

static bool scale_pointers(struct scaler *s)
{
    vec_foreach (struct pto_op *, at, &s->ops) {
        struct pto_op *op = *at;
        bool load = is(op, "pto.load_scalar"), store = is(op, "pto.store_scalar");
        size_t base = store ? 1 : 0;
        if ((!is(op, "pto.addptr") && !is(op, "pto.make_tensor_view") && !load && !store) ||
            op->operands.len < (load ? 1 : 2) ||
            !same_root(s, root_of(op->operands.items[base].value)))
            continue;
        struct pto_operand *index = operand_of(op, "index", 0);
        int64_t number;
        if (is(op, "pto.make_tensor_view") && !view_agrees(s, op))
            return false;
        if (is(op, "pto.addptr") && !scale_operand(s, &op->operands.items[1], true, 0))
            return false;
        if (index && (!constant(index, &number) || number >= s->now->to))
            return fail(
                s, index->span,
                "an element of memory that has the dimension; only the first %lld are the same",
                (long long)s->now->to);
        if (index)
            settle(s, index);
    }
    return true;
}

/* ---- what is left ---- */

static int64_t bytes_of(const struct pto_value *v, const struct shape *x, int64_t by)
{
    int64_t n = 1;
    for (int i = 0; i < x->n; i++)
        n *= x->was[i] / (x->scaled[i] ? by : 1);
    return n * bits_of(v) / 8;
}

/* Of a tile, where that is known. */
static bool place_of(const struct pto_op *op, int64_t *out)
{
    const struct pto_operand *o = pto_find_operand(op, "addr", 0);
    return o && op->results.len && op->results.items[0]->type->kind == PTO_TILE && constant(o, out);
}

/* Tiles that share memory at different addresses do so afterwards: they stay where they are. */
static bool overlaps_stay(struct scaler *s)
{
    vec_foreach (struct pto_op *, a, &s->ops)
        vec_foreach (struct pto_op *, b, &s->ops) {
            int64_t low, high;
            if (!is(*a, "pto.alloc_tile") || !is(*b, "pto.alloc_tile") || !place_of(*a, &low) ||
                !place_of(*b, &high) || low >= high)
                continue;
            const struct pto_value *v = (*a)->results.items[0], *w = (*b)->results.items[0];
            const struct shape *whole = shape_of(s, v);
            bool space = !strcmp(v->type->space, w->type->space);
            if (space && low + bytes_of(v, whole, 1) > high &&
                low + bytes_of(v, whole, s->by) <= high)
                return fail(s, (*b)->span,
                            "this tile shares memory with that of line %d, and "
                            "then would not",
                            (*a)->span.line);
        }
    return true;
}

static bool is_address(const struct pto_operand *o)
{
    return !strcmp(o->group, "addr") || strstr(o->group, "consumer_buf");
}

static bool meanings_known(struct scaler *s)
{
    vec_foreach (struct pto_op *, op, &s->ops)
        vec_foreach (const struct pto_operand, o, &(*op)->operands) {
            int64_t number;
            if (map_get(&s->settled, o) || is_address(o))
                continue;
            if (o->value && map_get(&s->counted, o->value))
                return fail(s, o->span,
                            "'%s' counts elements of the dimension elsewhere, and here "
                            "it is not known to",
                            o->value->name);
            if (constant(o, &number) && number == s->now->from)
                return fail(s, o->span, "whether this %lld is the dimension is not known",
                            (long long)number);
        }
    return true;
}

static bool scale_one(struct scaler *s)
{
    collect(s, (struct pto_block *)(uintptr_t)&s->file->top);
    vec_foreach (struct pto_op *, op, &s->ops) {
        if (!(*op)->results.len)
            continue;
        if (is(*op, "pto.make_tensor_view") && !scale_view(s, *op))
            return false;
        if (is(*op, "pto.partition_view") && !scale_part(s, *op))
            return false;
    }
    if (!scale_tiles(s) || !scale_pointers(s) || !overlaps_stay(s) || !meanings_known(s))
        return false;
    return s->any || diag_error(s->d, s->now->source, s->now->span, "no extent is %lld",
                                (long long)s->now->from);
}

bool pto_scale(struct arena *a, struct pto_file *f, const struct pto_scale *all, size_t n,
               struct diag *d)
{
    for (size_t i = 0; i < n; i++) {
        struct scaler s = {.arena = a,
                           .file = f,
                           .all = all,
                           .n = n,
                           .now = &all[i],
                           .by = all[i].from / all[i].to,
                           .d = d,
                           .shapes = {.arena = a},
                           .blocks = {.arena = a},
                           .smaller = {.arena = a},
                           .counted = {.arena = a},
                           .settled = {.arena = a}};
        if (!scale_one(&s))
            return false;
    }
    return true;
}
