/* SPDX-License-Identifier: MIT */
/* Subscripts as values and as targets (pypto-front-facts 2.4, 2.5). */
#include <string.h>

#include "ir/infer.h"
#include "ir/ops.h"
#include "ir/parse_internal.h"
#include "ir/print.h"
#include "ir/valid.h"

/* `i`, or `from:to` with either end left out. */
struct index {
    struct ir_expr *from, *to;
    bool part;
};
typedef VEC(struct index) index_list;

/* What the indices cut out of a tensor or tile, with all dimensions; drop: those of one index. */
struct subscript_part {
    ir_exprs shape, offset, drop;
};

/* Behind the bracket; consumes the closing one. */
static index_list parse_indices(struct parser *p, const struct token *open)
{
    index_list list = {0};
    while (!parse_at_op(p, "]")) {
        struct index x = {0};
        if (!parse_at_op(p, ":"))
            x.from = parse_expr(p);
        x.part = parse_accept_op(p, ":");
        if (x.part && !parse_at_op(p, ",") && !parse_at_op(p, "]") && !parse_at_op(p, ":"))
            x.to = parse_expr(p);
        if (x.part && parse_at_op(p, ":"))
            parse_fail(p, peek(p)->span, "a slice has no step");
        vec_push(p->arena, &list, x);
        if (!parse_accept_op(p, ","))
            break;
    }
    if (!parse_accept_op(p, "]"))
        parse_expected(p, "',' or ']'");
    if (list.len == 0)
        parse_fail(p, open->span, "expected an index");
    return list;
}

static size_t parts_among(const index_list *list)
{
    size_t n = 0;
    vec_foreach (const struct index, x, list)
        n += x->part;
    return n;
}

static bool same_text(struct parser *p, const struct ir_expr *x, const struct ir_expr *y)
{
    return !strcmp(ir_print_expr(p->arena, x), ir_print_expr(p->arena, y));
}

/* to - from, folded where the numbers or the text say it: i : i + 4 is 4. */
static struct ir_expr *difference(struct parser *p, struct ir_expr *to, struct ir_expr *from)
{
    if (from->kind == IR_INT && from->integer.value == 0)
        return to;
    if (from->kind == IR_INT && to->kind == IR_INT)
        return ir_int(p->arena, to->integer.value - from->integer.value, to->integer.dtype,
                      to->span);
    if (to->kind == IR_BINARY && to->binary.op == IR_ADD && same_text(p, to->binary.lhs, from))
        return to->binary.rhs;
    return parse_make_binary(p, IR_SUB, to, from);
}

static bool is_shaped(const struct ir_type *t)
{
    return t && (t->kind == IR_TYPE_TILE || ir_type_is_tensor_like(t));
}

/* Where a tile is cut is known at compile time, and a part does not go beyond it. */
static struct index within_tile(struct parser *p, struct index x, struct ir_expr *dim)
{
    int64_t from;
    if (x.part && x.from && !ir_const_int(x.from, &from))
        parse_fail(p, x.from->span, "a part of a tile begins at a constant");
    if (x.to && x.to->kind == IR_INT && dim->kind == IR_INT &&
        x.to->integer.value > dim->integer.value)
        x.to = dim;
    return x;
}

static void check_count(struct parser *p, const struct ir_expr *base, const index_list *list)
{
    size_t rank = base->type->shape.len;
    if (list->len > rank)
        parse_fail(p, base->span, "%zu indices, but %zu dimensions", list->len, rank);
}

static struct subscript_part part_of(struct parser *p, const struct ir_expr *base,
                                     const index_list *list)
{
    struct subscript_part out = {0};
    const ir_exprs *dims = &base->type->shape;
    check_count(p, base, list);
    for (size_t i = 0; i < dims->len; i++) {
        struct index x = i < list->len ? list->items[i] : (struct index){NULL, NULL, true};
        if (base->type->kind == IR_TYPE_TILE)
            x = within_tile(p, x, dims->items[i]);
        struct ir_expr *zero = ir_int(p->arena, 0, IR_INDEX, base->span),
                       *one = ir_int(p->arena, 1, IR_INDEX, base->span),
                       *from = x.from ? x.from : zero, *to = x.to ? x.to : dims->items[i];
        vec_push(p->arena, &out.offset, from);
        vec_push(p->arena, &out.shape, x.part ? difference(p, to, from) : one);
        if (!x.part)
            vec_push(p->arena, &out.drop, ir_int(p->arena, (int64_t)i, IR_INDEX, base->span));
    }
    return out;
}

/* tile.name or tensor.name, as the value is. */
static struct ir_expr *shaped_call(struct parser *p, const char *name, const struct ir_expr *like,
                                   ir_exprs args)
{
    bool tile = like->type->kind == IR_TYPE_TILE;
    return ir_op_call(p->arena, arena_printf(p->arena, "%s.%s", tile ? "tile" : "tensor", name),
                      args, like->span);
}

static struct ir_expr *made_tuple(struct parser *p, ir_exprs items, struct span at)
{
    struct ir_expr *e = ir_tuple(p->arena, items, at);
    e->type = ir_infer_expr(p->arena, e);
    return e;
}

static struct ir_expr *slice_of(struct parser *p, struct ir_expr *base, const index_list *list)
{
    struct subscript_part part = part_of(p, base, list);
    ir_exprs args = {0};
    vec_push(p->arena, &args, base);
    vec_push(p->arena, &args, made_tuple(p, part.shape, base->span));
    vec_push(p->arena, &args, made_tuple(p, part.offset, base->span));
    if (part.drop.len) {
        vec_push(p->arena, &args, made_tuple(p, (ir_exprs){0}, base->span));
        vec_push(p->arena, &args, made_tuple(p, part.drop, base->span));
    }
    return shaped_call(p, "slice", base, args);
}

static ir_exprs indices_of(struct parser *p, const index_list *list)
{
    ir_exprs out = {0};
    vec_foreach (const struct index, x, list)
        vec_push(p->arena, &out, x->from);
    return out;
}

static struct ir_expr *element_of(struct parser *p, struct ir_expr *base, const index_list *list)
{
    ir_exprs args = {0};
    vec_push(p->arena, &args, base);
    vec_push(p->arena, &args, made_tuple(p, indices_of(p, list), base->span));
    return shaped_call(p, "read", base, args);
}

/* The type of x[i, ...] for a tensor x: what is left of its shape, or one element. */
static struct ir_type *subscript_type(struct parser *p, const struct ir_type *t, size_t indices)
{
    if (!ir_type_is_tensor_like(t) || indices > t->shape.len)
        return NULL;
    if (indices == t->shape.len)
        return ir_scalar_type(t->dtype);
    struct ir_type *part = ir_type_new(p->arena, t->kind);
    part->dtype = t->dtype;
    part->window = t->window;
    for (size_t i = indices; i < t->shape.len; i++)
        vec_push(p->arena, &part->shape, t->shape.items[i]);
    return part;
}

static struct ir_expr *subscript_call(struct parser *p, struct ir_expr *base,
                                      const index_list *list)
{
    ir_exprs indices = indices_of(p, list);
    bool tensor = ir_type_is_tensor_like(base->type);
    if (indices.len == 1 && !tensor && indices.items[0]->kind == IR_INT) {
        struct ir_expr *e = ir_expr_new(p->arena, IR_GETITEM, base->span);
        e->getitem.base = base;
        e->getitem.index = indices.items[0]->integer.value;
        e->type = ir_infer_expr(p->arena, e);
        return e;
    }
    struct ir_expr *e = ir_expr_new(p->arena, IR_CALL, base->span);
    e->call.callee = IR_CALLEE_UNKNOWN;
    e->call.name = e->call.written = "[]";
    vec_push(p->arena, &e->call.args, base);
    vec_foreach (struct ir_expr *, i, &indices)
        vec_push(p->arena, &e->call.args, *i);
    e->type = subscript_type(p, base->type, indices.len);
    return e;
}

/* ---- arrays of a core ---- */

static struct ir_expr *array_index(struct parser *p, const index_list *list, struct span at)
{
    if (list->len != 1 || list->items[0].part)
        parse_fail(p, at, "an array has one index");
    return list->items[0].from;
}

/* arr[i] */
static struct ir_expr *array_element(struct parser *p, struct ir_expr *base, const index_list *list,
                                     struct span at)
{
    ir_exprs args = {0};
    vec_push(p->arena, &args, base);
    vec_push(p->arena, &args, array_index(p, list, at));
    return ir_op_call(p->arena, "array.get_element", args, base->span);
}

/* Behind arr[i]: a literal takes the type of the elements. */
static struct ir_expr *parse_array_update(struct parser *p, struct ir_expr *base,
                                          const index_list *list)
{
    ir_exprs args = {0};
    vec_push(p->arena, &args, base);
    vec_push(p->arena, &args, array_index(p, list, peek(p)->span));
    parse_expect_op(p, "=");
    struct ir_expr *value = parse_expr(p);
    if (value->kind == IR_INT && !ir_dtype_is_float(ir_array_dtype(base->type)))
        value = ir_int(p->arena, value->integer.value, ir_array_dtype(base->type), value->span);
    vec_push(p->arena, &args, value);
    return ir_op_call(p->arena, "array.update_element", args, base->span);
}

struct ir_expr *parse_subscript(struct parser *p, struct ir_expr *base)
{
    const struct token *open = peek(p);
    p->pos++;
    index_list list = parse_indices(p, open);
    if (ir_type_is_array(base->type))
        return array_element(p, base, &list, open->span);
    bool cut = parts_among(&list) > 0, shaped = is_shaped(base->type),
         core = p->func && ir_func_is_incore(p->func);
    if (cut && !shaped)
        parse_fail(p, open->span, "only tensors and tiles have slices");
    if (shaped)
        check_count(p, base, &list);
    if (!cut && !(core && shaped))
        return subscript_call(p, base, &list);
    if (!cut && list.len == base->type->shape.len)
        return element_of(p, base, &list);
    return slice_of(p, base, &list);
}

/* ---- x[...] = value ---- */

bool parse_at_part_assignment(const struct parser *p)
{
    const struct token *t = peek(p);
    int depth = 0;
    if (t->kind != TOK_NAME || t[1].kind != TOK_OP || strcmp(t[1].text, "[") != 0)
        return false;
    for (t++; t->kind != TOK_NEWLINE && t->kind != TOK_END; t++) {
        bool op = t->kind == TOK_OP;
        depth += op && strchr("[({", t->text[0]) && !t->text[1];
        depth -= op && strchr("])}", t->text[0]) && !t->text[1];
        if (depth == 0)
            return t[1].kind == TOK_OP && strcmp(t[1].text, "=") == 0;
    }
    return false;
}

static bool is_dropped(const struct subscript_part *part, size_t dimension)
{
    vec_foreach (struct ir_expr *, d, &part->drop)
        if ((*d)->integer.value == (int64_t)dimension)
            return true;
    return false;
}

static bool differ(const struct ir_expr *a, const struct ir_expr *b)
{
    return a->kind == IR_INT && b->kind == IR_INT && a->integer.value != b->integer.value;
}

/* The extents that the source must have: those of the dimensions that are kept, and of a tile, which
 * has two dimensions or more, ones in front. */
static ir_exprs kept_extents(struct parser *p, const struct subscript_part *part,
                             const struct ir_expr *src)
{
    size_t kept = part->shape.len - part->drop.len, rank = src->type->shape.len;
    bool padded = src->type->kind == IR_TYPE_TILE && kept < 2 && rank == 2;
    ir_exprs out = {0};
    if (rank != kept && !padded)
        parse_fail(p, src->span, "the source has %zu dimensions, the part %zu", rank, kept);
    for (size_t i = kept; i < rank; i++)
        vec_push(p->arena, &out, ir_int(p->arena, 1, IR_INDEX, src->span));
    for (size_t i = 0; i < part->shape.len; i++)
        if (!is_dropped(part, i))
            vec_push(p->arena, &out, part->shape.items[i]);
    return out;
}

/* The source has the dimensions that are kept, with their extents where both are numbers; whether
 * what is valid of a larger source fits is asked when the function is read. */
static void check_source(struct parser *p, const struct ir_expr *base,
                         const struct subscript_part *part, struct ir_expr *src)
{
    bool tile = base->type->kind == IR_TYPE_TILE;
    if (!is_shaped(src->type))
        parse_fail(p, src->span, "expected a %s", tile ? "tile" : "tensor");
    if ((src->type->kind == IR_TYPE_TILE) != tile)
        parse_fail(p, src->span,
                   tile ? "a part of a tile is assigned a tile: pl.load(...) makes one"
                        : "a tile goes into a tensor with pl.store(...)");
    struct pending_part pending = {src, kept_extents(p, part, src)};
    bool other = false;
    for (size_t i = 0; i < pending.extents.len; i++)
        other |= differ(pending.extents.items[i], src->type->shape.items[i]);
    if (other)
        vec_push(p->arena, &p->parts, pending);
}

void parse_resolve_parts(struct parser *p, const struct ir_func *f)
{
    struct map valid = {.arena = p->arena};
    if (p->parts.len)
        ir_valid_collect(&valid, p->prog, f);
    vec_foreach (struct pending_part, part, &p->parts) {
        struct ir_valid v = ir_valid_of(&valid, p->prog, part->src);
        const ir_exprs *shape = &part->src->type->shape;
        for (size_t i = 0; i < shape->len && v.kind != IR_VALID_UNKNOWN; i++) {
            const struct ir_expr *want = part->extents.items[i], *have = shape->items[i],
                                 *filled = v.kind == IR_VALID_PART ? v.extents->items[i] : have;
            if (differ(want, have) && differ(want, filled))
                parse_fail(p, part->src->span,
                           "dimension %zu of the source is %lld, that of the part %lld", i,
                           (long long)have->integer.value, (long long)want->integer.value);
        }
    }
    p->parts.len = 0;
}

/* The source with all dimensions of the part: ones where an index drops one. */
static struct ir_expr *lifted_source(struct parser *p, const struct subscript_part *part,
                                     struct ir_expr *src)
{
    const ir_exprs *shape = &src->type->shape;
    size_t next = shape->len - (part->shape.len - part->drop.len);
    ir_exprs lifted = {0}, args = {0};
    if (shape->len == part->shape.len)
        return src;
    for (size_t i = 0; i < part->shape.len; i++)
        vec_push(p->arena, &lifted,
                 is_dropped(part, i) ? ir_int(p->arena, 1, IR_INDEX, src->span)
                                     : shape->items[next++]);
    vec_push(p->arena, &args, src);
    vec_push(p->arena, &args, made_tuple(p, lifted, src->span));
    return shaped_call(p, "reshape", src, args);
}

/* The name stands for what it is with the part in it. */
static struct ir_stmt *assign_part(struct parser *p, const struct token *name,
                                   struct ir_expr *value)
{
    struct ir_stmt *s = ir_stmt_new(p->arena, IR_ASSIGN, name->span);
    s->assign.value = value;
    s->span = value->span = parse_span_from(p, name);
    vec_push(p->arena, &s->assign.targets, parse_bind_assigned(p, name, value->type));
    return s;
}

/* x = assemble(x, value, offset) */
struct ir_stmt *parse_part_assignment(struct parser *p)
{
    const struct token *name = peek(p), *open = name + 1;
    struct ir_var *v = parse_lookup(p, name);
    if (!v)
        parse_undefined_name(p, name);
    p->pos += 2;
    index_list list = parse_indices(p, open);
    bool shaped = is_shaped(v->type);
    if (ir_type_is_array(v->type)) {
        struct ir_expr *update = parse_array_update(p, ir_var_ref(p->arena, v, name->span), &list);
        return assign_part(p, name, update);
    }
    if (!shaped || (parts_among(&list) == 0 && list.len >= v->type->shape.len))
        parse_fail(p, peek(p)->span,
                   "only a variable can be assigned to; elements are set with pl.write(...)");
    struct ir_expr *base = ir_var_ref(p->arena, v, name->span);
    struct subscript_part part = part_of(p, base, &list);
    parse_expect_op(p, "=");
    struct ir_expr *src = parse_expr_list(p);
    check_source(p, base, &part, src);
    src = lifted_source(p, &part, src);
    ir_exprs args = {0};
    vec_push(p->arena, &args, base);
    vec_push(p->arena, &args, src);
    vec_push(p->arena, &args, made_tuple(p, part.offset, name->span));
    return assign_part(p, name, shaped_call(p, "assemble", base, args));
}
