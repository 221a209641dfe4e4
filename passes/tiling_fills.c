/* SPDX-License-Identifier: MIT */
#include "passes/tiling_fills.h"

#include <string.h>

#include "ir/infer.h"
#include "passes/pass.h"
#include "passes/rewrite.h"

static struct ir_expr *op_of(struct ir_stmt *s, const char *name)
{
    struct ir_expr *e = s->kind == IR_ASSIGN ? s->assign.value
                        : s->kind == IR_EVAL ? s->eval
                                             : NULL;
    bool found = e && e->kind == IR_CALL && e->call.callee == IR_CALLEE_OP &&
                 strcmp(e->call.op->name, name) == 0;
    return found ? e : NULL;
}

static const ir_exprs *items_of(const struct ir_expr *e)
{
    return e->kind == IR_TUPLE || e->kind == IR_LIST ? &e->items : NULL;
}

static bool is_number(const struct ir_expr *e, int64_t value)
{
    int64_t found;
    return ir_const_int(e, &found) && found == value;
}

static bool same_expr(const struct ir_expr *x, const struct ir_expr *y)
{
    int64_t a, b;
    if (x->kind == IR_VAR && y->kind == IR_VAR)
        return x->var == y->var;
    if (ir_const_int(x, &a) && ir_const_int(y, &b))
        return a == b;
    return x->kind == IR_BINARY && y->kind == IR_BINARY && x->binary.op == y->binary.op &&
           same_expr(x->binary.lhs, y->binary.lhs) && same_expr(x->binary.rhs, y->binary.rhs);
}

static bool same_list(const ir_exprs *x, const ir_exprs *y)
{
    bool same = x->len == y->len;
    for (size_t i = 0; same && i < x->len; i++)
        same = same_expr(x->items[i], y->items[i]);
    return same;
}

/* ---- uses of a variable ---- */

struct search {
    const struct ir_var *var;
    const struct ir_stmt *without; /* this statement does not count, nor the next */
    const struct ir_stmt *nor;
    bool as_written; /* as the target of tensor.write it does not count */
    bool returned;   /* nor where it is returned */
    size_t written;
};

static bool is_not(const struct ir_expr *e, void *ctx)
{
    const struct search *s = ctx;
    return e->kind != IR_VAR || e->var != s->var;
}

static bool uses(const struct ir_expr *e, const struct ir_var *v)
{
    struct search s = {.var = v};
    return !ir_walk_expr(e, is_not, &s);
}

static enum walk find_use(const struct ir_stmt *s, void *ctx)
{
    struct search *search = ctx;
    if (s == search->without || s == search->nor)
        return WALK_OVER;
    struct ir_expr *write = search->as_written ? op_of((struct ir_stmt *)s, "tensor.write") : NULL;
    if (write && !is_not(write->call.args.items[0], search)) {
        search->written++;
        return uses(write->call.args.items[1], search->var) ||
                       uses(write->call.args.items[2], search->var)
                   ? WALK_FOUND
                   : WALK_OVER;
    }
    if (search->returned && s->kind == IR_RETURN) {
        vec_foreach (struct ir_expr *, e, &s->return_.values)
            if ((*e)->kind != IR_VAR && uses(*e, search->var))
                return WALK_FOUND;
        return WALK_OVER;
    }
    return pass_walk_stmt(s, is_not, search) ? WALK_INTO : WALK_FOUND;
}

bool tiling_only_written(const struct tiling *t, const struct ir_var *v)
{
    struct search s = {.var = v, .as_written = true};
    return !pass_find_stmt(&t->func->body, find_use, &s);
}

/* ---- single writes behind a store of one value to all of a parameter ---- */

static bool is_plain(const struct ir_type *type)
{
    return type && type->kind == IR_TYPE_TENSOR && type->annots.len == 0;
}

static bool is_param(const struct ir_func *f, const struct ir_expr *e)
{
    vec_foreach (struct ir_param, p, &f->params)
        if (e->kind == IR_VAR && e->var == p->var)
            return true;
    return false;
}

/* value = tensor.full(...); target = tensor.assemble(parameter, value, [0, ..]), all of it. */
static bool fills_parameter(const struct ir_func *f, struct ir_stmt *full, struct ir_stmt *put)
{
    const struct ir_expr *e = op_of(put, "tensor.assemble");
    if (full->kind != IR_ASSIGN || put->kind != IR_ASSIGN || !op_of(full, "tensor.full") || !e)
        return false;
    const struct ir_var *value = full->assign.targets.items[0],
                        *target = put->assign.targets.items[0];
    const struct ir_expr *into = e->call.args.items[0], *from = e->call.args.items[1];
    const ir_exprs *at = items_of(e->call.args.items[2]);
    bool fits = from->kind == IR_VAR && from->var == value && is_param(f, into) &&
                target != value && is_plain(value->type) && is_plain(target->type) &&
                is_plain(into->type) && value->type->dtype == target->type->dtype &&
                into->type->dtype == target->type->dtype &&
                same_list(&into->type->shape, &target->type->shape) &&
                same_list(&value->type->shape, &target->type->shape) && at &&
                at->len == target->type->shape.len;
    for (size_t i = 0; fits && i < at->len; i++)
        fits = is_number(at->items[i], 0);
    return fits;
}

/* Nothing but single writes and the return uses the filled tensor, and nothing else its value. */
static bool only_written(const ir_block *body, const struct ir_stmt *full,
                         const struct ir_stmt *put)
{
    struct search target = {.var = put->assign.targets.items[0],
                            .without = full,
                            .nor = put,
                            .as_written = true,
                            .returned = true};
    struct search value = {.var = full->assign.targets.items[0], .without = full, .nor = put};
    return !pass_find_stmt(body, find_use, &target) && target.written > 0 &&
           !pass_find_stmt(body, find_use, &value);
}

struct redirect {
    struct arena *arena;
    const struct ir_var *from;
    struct ir_var *to;
};

static struct ir_expr *redirect_write(void *ctx, struct ir_expr *e)
{
    struct redirect *r = ctx;
    bool write = e->kind == IR_CALL && e->call.op && !strcmp(e->call.op->name, "tensor.write") &&
                 e->call.args.items[0]->kind == IR_VAR && e->call.args.items[0]->var == r->from;
    if (!write)
        return e;
    struct ir_expr *copy = arena_dup(r->arena, e, sizeof *e);
    copy->call.args.items =
        arena_dup(r->arena, e->call.args.items, e->call.args.len * sizeof *e->call.args.items);
    copy->call.args.items[0] = ir_var_ref(r->arena, r->to, e->span);
    return copy;
}

static void redirect_block(void *ctx, ir_block *block)
{
    struct redirect *r = ctx;
    ir_block out = {0};
    vec_foreach (struct ir_stmt *, s, block)
        vec_push(r->arena, &out,
                 rewrite_blocks(r->arena, rewrite_exprs(r->arena, *s, redirect_write, r),
                                redirect_block, r));
    *block = out;
}

/* The writes go to the value, and all of it to the parameter at the end. */
static ir_block written_last(struct tiling *t, const ir_block *body, size_t put)
{
    struct ir_stmt *s = body->items[put];
    struct redirect r = {t->arena, s->assign.targets.items[0],
                         body->items[put - 1]->assign.targets.items[0]};
    ir_block out = {0};
    for (size_t i = 0; i + 1 < body->len; i++)
        if (i != put)
            vec_push(t->arena, &out, body->items[i]);
    redirect_block(&r, &out);
    vec_push(t->arena, &out, s);
    vec_push(t->arena, &out, body->items[body->len - 1]);
    return out;
}

static ir_block stage_writes(struct tiling *t, const struct ir_func *f, ir_block body)
{
    if (body.len < 3 || body.items[body.len - 1]->kind != IR_RETURN)
        return body;
    for (size_t i = 1; i + 1 < body.len; i++)
        if (fills_parameter(f, body.items[i - 1], body.items[i]) &&
            only_written(&body, body.items[i - 1], body.items[i]))
            body = written_last(t, &body, i--);
    return body;
}

/* ---- a constant that a loop writes ---- */

enum { BLOCK_BITS = 256 };

/* The index less the loop's variable, or NULL when it does not go up by 1. */
static struct ir_expr *start_of(struct tiling *t, struct ir_expr *index, const struct ir_var *v)
{
    if (index->kind == IR_VAR && index->var == v)
        return tiling_index(t, 0);
    if (index->kind != IR_BINARY || index->binary.op != IR_ADD)
        return NULL;
    struct ir_expr *x = index->binary.lhs, *y = index->binary.rhs;
    if (x->kind == IR_VAR && x->var == v && !uses(y, v))
        return y;
    return y->kind == IR_VAR && y->var == v && !uses(x, v) ? x : NULL;
}

/* Where the elements begin and along which axis they lie one behind the other; -1: they do not. */
static int contiguous(struct tiling *t, const struct ir_expr *write, const struct ir_var *v,
                      ir_exprs *at)
{
    const struct ir_type *type = write->call.args.items[0]->type;
    const ir_exprs *index = items_of(write->call.args.items[1]);
    int axis = -1;
    *at = (ir_exprs){0};
    if (!type || type->kind != IR_TYPE_TENSOR || !index || index->len != type->shape.len)
        return -1;
    for (size_t i = 0; i < index->len; i++) {
        struct ir_expr *e = index->items[i];
        if (uses(e, v)) {
            e = axis < 0 ? start_of(t, e, v) : NULL;
            axis = (int)i;
        } else if (axis >= 0 && (!is_number(type->shape.items[i], 1) || !is_number(e, 0))) {
            return -1;
        }
        if (!e)
            return -1;
        vec_push(t->arena, at, e);
    }
    return axis;
}

/* All writes of one loop go to the same elements of tensors of one shape: the order of the elements
 * does not matter then. */
static bool like_first(const struct ir_expr *first, const struct ir_expr *write)
{
    if (write == first)
        return true;
    const struct ir_type *x = first->call.args.items[0]->type, *y = write->call.args.items[0]->type;
    const ir_exprs *at = items_of(write->call.args.items[1]);
    return is_plain(x) && is_plain(y) && x->dtype == y->dtype && same_list(&x->shape, &y->shape) &&
           at && same_list(items_of(first->call.args.items[1]), at);
}

static bool is_constant(const struct ir_expr *e)
{
    return e->kind == IR_INT || e->kind == IR_FLOAT;
}

/* tensor.full, reshaped, and put in place of `count` writes of one value. */
static void put_constant(struct tiling *t, const struct ir_stmt *loop, const struct ir_expr *write,
                         int axis, const ir_exprs *at)
{
    struct ir_expr *into = write->call.args.items[0];
    const char *name = into->kind == IR_VAR ? into->var->name : loop->for_.var->name;
    const char *end = strstr(name, "__");
    int len = end ? (int)(end - name) : (int)strlen(name);
    ir_exprs logical = {0};
    t->at = write->span;
    for (int i = 0; i < (int)at->len; i++)
        vec_push(t->arena, &logical, i == axis ? loop->for_.stop : tiling_index(t, 1));
    struct ir_expr *full =
        TILING_CALL(t, "tensor.full", tiling_pair(t, tiling_index(t, 1), loop->for_.stop),
                    write->call.args.items[2]);
    tiling_keyword(t, full, "dtype", tiling_dtype(t, into->type->dtype));
    full = tiling_bind(t, arena_printf(t->arena, "%.*s__scalar_fill_storage", len, name),
                       tiling_typed(t, full));
    struct ir_expr *row = tiling_bind(
        t, arena_printf(t->arena, "%.*s__scalar_fill", len, name),
        tiling_typed(t, TILING_CALL(t, "tensor.reshape", full, tiling_tuple(t, &logical))));
    struct ir_stmt *put = ir_stmt_new(t->arena, IR_EVAL, write->span);
    put->eval = tiling_typed(t, TILING_CALL(t, "tensor.assemble", into, row, tiling_tuple(t, at)));
    vec_push(t->arena, t->out, put);
}

static bool counts_up(const struct ir_stmt *s, int64_t *count)
{
    return s->kind == IR_FOR && s->for_.kind == IR_RANGE && is_number(s->for_.start, 0) &&
           is_number(s->for_.step, 1) && ir_const_int(s->for_.stop, count) && *count > 0 &&
           s->for_.iter_args.len == 0 && s->for_.results.len == 0 && s->for_.kwargs.len == 0 &&
           s->for_.body.len > 0;
}

/* Writes what the loop does without it; false when it does something else. */
static bool put_constants(struct tiling *t, struct ir_stmt *s)
{
    int64_t count, bits;
    if (!counts_up(s, &count))
        return false;
    const struct ir_expr *first = op_of(s->for_.body.items[0], "tensor.write");
    ir_exprs at;
    vec_foreach (struct ir_stmt *, it, &s->for_.body) {
        const struct ir_expr *write = (*it)->kind == IR_EVAL ? op_of(*it, "tensor.write") : NULL;
        if (!write || !is_constant(write->call.args.items[2]) ||
            contiguous(t, write, s->for_.var, &at) < 0 || !like_first(first, write) ||
            __builtin_mul_overflow(count, ir_dtype_bits(write->call.args.items[0]->type->dtype),
                                   &bits) ||
            bits % BLOCK_BITS)
            return false;
    }
    vec_foreach (struct ir_stmt *, it, &s->for_.body) {
        int axis = contiguous(t, (*it)->eval, s->for_.var, &at);
        put_constant(t, s, (*it)->eval, axis, &at);
    }
    return true;
}

static void fill_block(void *ctx, ir_block *block)
{
    struct tiling *t = ctx;
    ir_block *outer = t->out, out = {0};
    bool changed = false;
    t->out = &out;
    vec_foreach (struct ir_stmt *, it, block) {
        struct ir_stmt *s = rewrite_blocks(t->arena, *it, fill_block, t);
        bool put = put_constants(t, s);
        changed |= put || s != *it;
        if (!put)
            vec_push(t->arena, &out, s);
    }
    t->out = outer;
    if (changed)
        *block = out;
}

ir_block tiling_fills(struct tiling *t, const struct ir_func *f)
{
    ir_block body = stage_writes(t, f, f->body);
    fill_block(t, &body);
    return body;
}

/* ---- a tile that a loop puts together ---- */

static bool is_var(const struct ir_expr *e, const struct ir_var *v)
{
    return e->kind == IR_VAR && e->var == v;
}

/* The one assemble into what the loop carries, whose result it yields; NULL when anything else uses
 * it. */
static const struct ir_stmt *only_assemble(const struct ir_stmt *loop)
{
    const struct ir_var *acc = loop->for_.iter_args.items[0];
    const struct ir_stmt *found = NULL;
    size_t yields = 0;
    vec_foreach (struct ir_stmt *, it, &loop->for_.body) {
        struct ir_expr *e = (*it)->kind == IR_ASSIGN ? op_of(*it, "tile.assemble") : NULL;
        bool into = e && is_var(e->call.args.items[0], acc);
        struct search rest = {.var = acc};
        ir_block one = {.items = it, .len = 1};
        if (into && (found || uses(e->call.args.items[1], acc) || uses(e->call.args.items[2], acc)))
            return NULL;
        if (into)
            found = *it;
        else if ((*it)->kind == IR_YIELD)
            yields += (*it)->yield.values.len;
        else if (pass_find_stmt(&one, find_use, &rest))
            return NULL;
    }
    const struct ir_stmt *yield = ir_block_yield(&loop->for_.body);
    bool passed_on = found && yields == 1 && yield &&
                     is_var(yield->yield.values.items[0], found->assign.targets.items[0]);
    return passed_on ? found : NULL;
}

/* The loop with a store in place of the assemble. */
static struct ir_stmt *storing(struct tiling *t, const struct ir_stmt *loop,
                               const struct ir_stmt *assemble, struct ir_expr *out)
{
    struct ir_stmt *copy = arena_dup(t->arena, loop, sizeof *loop);
    const struct ir_var *acc = loop->for_.iter_args.items[0],
                        *part = assemble->assign.targets.items[0],
                        *result = loop->for_.results.items[0];
    const ir_exprs *args = &assemble->assign.value->call.args;
    struct ir_var *carried = ir_var_new(t->arena, acc->name, out->type, acc->span);
    struct ir_var *stored = ir_var_new(t->arena, part->name, out->type, part->span);
    copy->for_.iter_args = copy->for_.results = (ir_vars){0};
    copy->for_.inits = (ir_exprs){0};
    copy->for_.body = (ir_block){0};
    vec_push(t->arena, &copy->for_.iter_args, carried);
    vec_push(t->arena, &copy->for_.inits, out);
    vec_push(t->arena, &copy->for_.results,
             ir_var_new(t->arena, result->name, out->type, result->span));
    vec_foreach (struct ir_stmt *, it, &loop->for_.body) {
        struct ir_stmt *s = *it;
        if (s == assemble) {
            s = pass_assign(
                t->arena, stored,
                tiling_typed(t, TILING_CALL(t, "tile.store", args->items[1], args->items[2],
                                            ir_var_ref(t->arena, carried, t->at))));
        } else if (s->kind == IR_YIELD) {
            s = ir_stmt_new(t->arena, IR_YIELD, s->span);
            vec_push(t->arena, &s->yield.values, ir_var_ref(t->arena, stored, t->at));
        }
        vec_push(t->arena, &copy->for_.body, s);
    }
    return copy;
}

/* The definition of a variable that nothing uses any more goes. */
static void drop_unused(struct tiling *t, const struct ir_expr *e)
{
    struct search s = {.var = e->kind == IR_VAR ? e->var : NULL};
    ir_block out = {0};
    if (!s.var || pass_find_stmt(t->out, find_use, &s))
        return;
    vec_foreach (struct ir_stmt *, it, t->out) {
        bool defines = (*it)->kind == IR_ASSIGN && (*it)->assign.targets.len == 1 &&
                       (*it)->assign.targets.items[0] == s.var;
        if (!defines)
            vec_push(t->arena, &out, *it);
    }
    *t->out = out;
}

struct ir_expr *tiling_stored_rows(struct tiling *t, const struct ir_expr *tile,
                                   struct ir_expr *out)
{
    vec_foreach (struct ir_stmt *, it, t->out) {
        struct ir_stmt *s = *it;
        bool gives = s->kind == IR_FOR && s->for_.iter_args.len == 1 && s->for_.results.len == 1 &&
                     is_var(tile, s->for_.results.items[0]);
        const struct ir_stmt *assemble = gives ? only_assemble(s) : NULL;
        if (!assemble)
            continue;
        *it = storing(t, s, assemble, out);
        struct ir_expr *result = ir_var_ref(t->arena, (*it)->for_.results.items[0], t->at);
        drop_unused(t, s->for_.inits.items[0]);
        return result;
    }
    return NULL;
}
