/* SPDX-License-Identifier: MIT */
#include "passes/tiling_body.h"

#include <string.h>

#include "ir/equal.h"
#include "ir/infer.h"
#include "passes/pass.h"
#include "passes/rewrite.h"
#include "passes/tiling_fills.h"

/* ---- what stands for what ---- */

static struct ir_type *renamed_type(struct tiling *t, struct ir_type *type);

static bool has_extents(const struct ir_type *type)
{
    return type && (type->shape.len || type->annots.len || type->elems.len);
}

static struct ir_expr *rename_one(void *ctx, struct ir_expr *e)
{
    struct tiling *t = ctx;
    struct ir_var *v = e->kind == IR_VAR ? map_get(&t->renamed, e->var) : NULL;
    if (v)
        return v == e->var ? e : ir_var_ref(t->arena, v, e->span);
    if (e->kind != IR_TUPLE && e->kind != IR_GETITEM && !has_extents(e->type))
        return e;
    struct ir_type *type = e->kind == IR_TUPLE || e->kind == IR_GETITEM ? ir_infer_expr(t->arena, e)
                                                                        : renamed_type(t, e->type);
    if (!type || type == e->type || (e->type && ir_type_same(type, e->type)))
        return e;
    struct ir_expr *copy = arena_dup(t->arena, e, sizeof *e);
    copy->type = type;
    return copy;
}

struct ir_expr *tiling_renamed(struct tiling *t, struct ir_expr *e)
{
    return rewrite_expr(t->arena, e, rename_one, t);
}

static bool rename_list(struct tiling *t, ir_exprs *list)
{
    struct ir_expr *const *old = list->items;
    bool changed = false;
    for (size_t i = 0; i < list->len; i++) {
        struct ir_expr *e = tiling_renamed(t, old[i]);
        if (e != old[i] && !changed) {
            list->items = arena_dup(t->arena, old, list->len * sizeof *old);
            list->cap = list->len;
            changed = true;
        }
        if (changed)
            list->items[i] = e;
    }
    return changed;
}

/* Extents of a type may be variables that have another name now. */
static struct ir_type *renamed_type(struct tiling *t, struct ir_type *type)
{
    if (!has_extents(type))
        return type;
    struct ir_type copy = *type;
    bool shape = rename_list(t, &copy.shape), annots = rename_list(t, &copy.annots);
    return shape || annots ? arena_dup(t->arena, &copy, sizeof copy) : type;
}

static bool defined_often(struct tiling *t, const struct ir_var *v)
{
    return (uintptr_t)map_get(&t->definitions, v) > 1;
}

/* The variable that stands for v, which now has that type; without a name of its own it keeps v's.
 * A variable with several definitions is one variable in all of them. */
static struct ir_var *stand_in(struct tiling *t, struct ir_var *v, const char *name,
                               struct ir_type *type)
{
    struct ir_var *now = map_get(&t->renamed, v);
    bool often = defined_often(t, v), kept = v->type && type && v->type->kind == type->kind;
    if (often && (now || kept))
        return now ? now : v;
    now = ir_var_new(t->arena, name ? name : v->name, type, v->span);
    map_put(&t->renamed, v, now);
    return now;
}

/* The name up to what the compiler put behind it. */
static const char *tile_name(struct tiling *t, const char *name)
{
    const char *end = strstr(name, "__");
    int len = end ? (int)(end - name) : (int)strlen(name);
    return arena_printf(t->arena, "%.*s__tile", len, name);
}

bool tiling_is_named(struct tiling *t, const struct ir_var *v)
{
    return defined_often(t, v) || strcmp(tile_name(t, v->name), v->name) == 0;
}

void tiling_enter(struct tiling *t, struct ir_var *param)
{
    t->at = param->span;
    struct ir_expr *load =
        tiling_load(t, ir_var_ref(t->arena, param, param->span), NULL, NULL, NULL, IR_SPACE_VEC);
    struct ir_var *tile =
        ir_var_new(t->arena, tile_name(t, param->name), tiling_place(t, load), param->span);
    vec_push(t->arena, t->out, pass_assign(t->arena, tile, load));
    map_put(&t->renamed, param, tile);
}

/* ---- survey ---- */

static void define(struct tiling *t, const struct ir_var *v)
{
    uintptr_t n = (uintptr_t)map_get(&t->definitions, v);
    map_put(&t->definitions, v, (void *)(n + 1));
}

static void define_all(struct tiling *t, const ir_vars *vars)
{
    vec_foreach (struct ir_var *, v, vars)
        define(t, *v);
}

static void want(struct tiling *t, const struct ir_expr *e, enum ir_space space)
{
    if (e->kind != IR_VAR || space == IR_SPACE_NONE)
        return;
    enum ir_space old = (enum ir_space)(uintptr_t)map_get(&t->wanted, e->var);
    if (old == IR_SPACE_NONE || old == IR_SPACE_VEC)
        map_put(&t->wanted, e->var, (void *)(uintptr_t)space);
}

/* Results that lie where their first operand does. */
static bool inherits(const struct ir_expr *e)
{
    static const char *const names[] = {"tensor.slice", "tensor.reshape", "tensor.reinterpret_view",
                                        "tensor.set_validshape"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(e->call.op->name, names[i]) == 0)
            return true;
    return e->call.op->spaces && strchr(e->call.op->spaces, '=');
}

/* What an assignment wants its operands in: what its operator says, or what is wanted of its result
 * where that lies in the same place. Statements are visited from the last to the first. */
static void want_operands(struct tiling *t, const struct ir_stmt *s)
{
    const struct ir_expr *e = s->assign.value;
    const struct ir_var *v = s->assign.targets.items[0];
    enum ir_space of_result = (enum ir_space)(uintptr_t)map_get(&t->wanted, v);
    const struct tile_form *form = tiling_form(e);
    if (e->kind == IR_VAR)
        want(t, e, of_result);
    if (e->kind != IR_CALL || e->call.callee != IR_CALLEE_OP)
        return;
    for (size_t i = 0; form && i < e->call.args.len; i++)
        want(t, e->call.args.items[i], tiling_wants(form, i));
    if (e->call.args.len && inherits(e))
        want(t, e->call.args.items[0], of_result);
}

void tiling_survey(struct tiling *t, const ir_block *body)
{
    for (size_t i = body->len; i-- > 0;) {
        struct ir_stmt *s = body->items[i];
        ir_block *inner[PASS_MAX_BLOCKS];
        if (s->kind == IR_ASSIGN) {
            define_all(t, &s->assign.targets);
            want_operands(t, s);
        } else if (s->kind == IR_IF) {
            define_all(t, &s->if_.results);
        } else if (s->kind == IR_FOR) {
            define_all(t, &s->for_.iter_args);
            define_all(t, &s->for_.results);
        } else if (s->kind == IR_WHILE) {
            define_all(t, &s->while_.iter_args);
            define_all(t, &s->while_.results);
        }
        for (size_t n = pass_child_blocks(s, inner); n-- > 0;)
            tiling_survey(t, inner[n]);
    }
}

/* ---- operators ---- */

/* Loads operands that lie in memory to where a product or a remote store wants them; a product's
 * transposed operand is a view of that. */
static void bring(struct tiling *t, const struct tile_form *form, struct ir_expr *e, size_t i,
                  bool turned)
{
    struct ir_expr **arg = &e->call.args.items[i];
    enum ir_space space = tiling_wants(form, i);
    const char *base = (*arg)->kind == IR_VAR ? (*arg)->var->name : NULL;
    bool mat = space == IR_SPACE_MAT;
    if ((*arg)->type && (*arg)->type->kind == IR_TYPE_TENSOR) {
        struct ir_expr *load = tiling_load(t, *arg, NULL, NULL, NULL, space);
        const char *name = base ? arena_printf(t->arena, "%s_%s", base, mat ? "mat" : "vec")
                                : arena_printf(t->arena, "bridged_%zu", i);
        *arg = tiling_bind(t, name, load);
        base = name;
    } else if (turned && tiling_is_tile(*arg) && base && ir_space_of(NULL, *arg) != IR_SPACE_MAT) {
        struct ir_expr *move = TILING_CALL(t, "tile.move", *arg);
        tiling_keyword(t, move, "target_memory", tiling_space(t, IR_SPACE_MAT));
        base = arena_printf(t->arena, "%s_mat", base);
        *arg = tiling_bind(t, base, tiling_typed(t, move));
    }
    if (turned && tiling_is_tile(*arg) && base)
        *arg = tiling_bind(t, arena_printf(t->arena, "%s_t", base),
                           tiling_typed(t, TILING_CALL(t, "tile.transpose_view", *arg)));
}

static void bring_operands(struct tiling *t, const struct tile_form *form, struct ir_expr *e)
{
    static const char *const turned[] = {"a_trans", "b_trans"};
    size_t product = 0;
    for (size_t i = 0; i < e->call.args.len; i++) {
        if (tiling_wants(form, i) == IR_SPACE_NONE)
            continue;
        bool mat = tiling_wants(form, i) == IR_SPACE_MAT && product < 2;
        bring(t, form, e, i, mat && ir_call_int(&e->call, turned[product]));
        product += mat;
    }
}

/* Every operand that the operator takes as a tile is one. */
static bool check_operands(struct tiling *t, const struct ir_expr *e)
{
    for (size_t i = 0; i < e->call.args.len; i++) {
        const struct ir_expr *arg = e->call.args.items[i];
        char kind = ir_op_arg_kind(e->call.op, e->call.args.len, i);
        if ((kind == 't' || kind == 'x') && arg->type && ir_type_is_tensor_like(arg->type))
            return REFUSE(t, TILE_OPERAND, arg->span, e->call.op->name,
                          ir_op_arg_name(t->arena, e->call.op, e->call.args.len, i));
    }
    return true;
}

static struct ir_expr *convert_call(struct tiling *t, const struct tile_form *form,
                                    struct ir_expr *e, const struct ir_var *target)
{
    struct ir_expr *copy = arena_dup(t->arena, e, sizeof *e);
    copy->call.args = (ir_exprs){0};
    vec_foreach (struct ir_expr *, arg, &e->call.args)
        vec_push(t->arena, &copy->call.args, *arg);
    t->at = e->span;
    t->target = target;
    bring_operands(t, form, copy);
    bool known = true;
    for (size_t i = 0; i < copy->call.args.len; i++)
        known &= copy->call.args.items[i]->kind != IR_VAR || copy->call.args.items[i]->type;
    if (!known)
        return tiling_no_shape(t, form, e);
    struct ir_expr *made = form->convert(t, form, copy);
    return made && (made->kind != IR_CALL || check_operands(t, made)) ? made : NULL;
}

/* A view of memory cannot be one of a tile. */
static bool check_view(struct tiling *t, const struct ir_expr *e)
{
    bool view = e->kind == IR_CALL && e->call.op && !strcmp(e->call.op->name, "tensor.view");
    return !view || !tiling_is_tile(e->call.args.items[0]) ||
           REFUSE(t, TILE_VIEW, e->span, e->call.op->name);
}

/* ---- statements ---- */

/* The value as it is now: the variable has its type, under its own name. */
static struct ir_stmt *carry_over(struct tiling *t, struct ir_stmt *s, struct ir_expr *old)
{
    struct ir_expr *value = s->assign.value;
    struct ir_stmt *copy = arena_dup(t->arena, s, sizeof *s);
    copy->assign.targets = (ir_vars){0};
    for (size_t i = 0; i < s->assign.targets.len; i++) {
        struct ir_var *v = s->assign.targets.items[i], *now = v;
        struct ir_type *type = renamed_type(t, v->type), *part = value->type;
        if (s->assign.targets.len > 1)
            part = part && i < part->elems.len ? part->elems.items[i] : NULL;
        if (value != old && part && (!type || part->kind != type->kind))
            type = part;
        if (type != v->type || map_get(&t->renamed, v))
            now = stand_in(t, v, NULL, type);
        vec_push(t->arena, &copy->assign.targets, now);
    }
    return copy;
}

static void convert_assign(struct tiling *t, struct ir_stmt *s)
{
    struct ir_expr *old = s->assign.value, *value = tiling_renamed(t, old);
    const struct tile_form *form = tiling_form(value);
    struct ir_var *target = s->assign.targets.items[0];
    if (form) {
        value = convert_call(t, form, value, target);
        if (!value)
            return;
        struct ir_stmt *copy = arena_dup(t->arena, s, sizeof *s);
        copy->assign.value = value;
        copy->assign.targets = (ir_vars){0};
        for (size_t i = 0; i < s->assign.targets.len; i++) {
            struct ir_var *v = s->assign.targets.items[i];
            struct ir_type *type = tiling_place(t, value);
            if (s->assign.targets.len > 1)
                type = type && i < type->elems.len ? type->elems.items[i] : NULL;
            vec_push(t->arena, &copy->assign.targets, stand_in(t, v, tile_name(t, v->name), type));
        }
        copy->assign.annotated = true;
        vec_push(t->arena, t->out, copy);
        return;
    }
    if (!check_view(t, value))
        return;
    struct ir_stmt *copy = arena_dup(t->arena, s, sizeof *s);
    copy->assign.value = value;
    vec_push(t->arena, t->out, carry_over(t, copy, old));
}

/* An element of what was loaded is written, and nobody reads or stores it. */
static void note_lost_write(struct tiling *t, const struct ir_expr *old, const struct ir_expr *made)
{
    bool write = made->kind == IR_CALL && !strcmp(made->call.op->name, "tile.write") &&
                 old->call.args.items[0]->kind == IR_VAR;
    if (write && t->options->note && tiling_only_written(t, old->call.args.items[0]->var))
        t->options->note(t->options->note_ctx, t->prog->source, old->span,
                         "ConvertTensorToTileOps: this writes to a copy in a tile, not to the "
                         "tensor that it was taken from, and nothing uses the copy");
}

static void convert_eval(struct tiling *t, struct ir_stmt *s)
{
    struct ir_expr *e = tiling_renamed(t, s->eval);
    const struct tile_form *form = tiling_form(e);
    if (form)
        e = convert_call(t, form, e, NULL);
    if (!e || !check_view(t, e))
        return;
    if (form)
        note_lost_write(t, s->eval, e);
    struct ir_stmt *copy = arena_dup(t->arena, s, sizeof *s);
    copy->eval = e;
    vec_push(t->arena, t->out, copy);
}

static void inner_block(void *ctx, ir_block *block)
{
    struct tiling *t = ctx;
    ir_block *outer = t->out, made = {0};
    t->out = &made;
    tiling_block(t, block);
    t->out = outer;
    *block = made;
}

/* The variables that a loop carries have the types of their first values, its results theirs. */
static void carried(struct tiling *t, ir_vars *vars, const ir_exprs *inits, const ir_vars *like)
{
    ir_vars out = {0};
    for (size_t i = 0; i < vars->len; i++) {
        struct ir_var *v = vars->items[i];
        struct ir_type *type = v->type, *now = renamed_type(t, type);
        if (inits && i < inits->len && inits->items[i]->type &&
            (!type || inits->items[i]->type->kind != type->kind))
            now = inits->items[i]->type;
        if (like && i < like->len && like->items[i]->type &&
            (!type || like->items[i]->type->kind != type->kind))
            now = like->items[i]->type;
        vec_push(t->arena, &out, now != type ? stand_in(t, v, NULL, now) : v);
    }
    *vars = out;
}

static void branch_results(struct tiling *t, struct ir_stmt *s)
{
    const struct ir_stmt *yield = ir_block_yield(&s->if_.then_body);
    if (!yield)
        yield = ir_block_yield(&s->if_.else_body);
    carried(t, &s->if_.results, yield ? &yield->yield.values : NULL, NULL);
}

static void convert_nested(struct tiling *t, struct ir_stmt *s)
{
    struct ir_stmt *copy = arena_dup(t->arena, s, sizeof *s);
    bool loop = s->kind == IR_FOR;
    if (loop || s->kind == IR_WHILE) {
        ir_exprs inits = loop ? copy->for_.inits : copy->while_.inits;
        rename_list(t, &inits);
        carried(t, loop ? &copy->for_.iter_args : &copy->while_.iter_args, &inits, NULL);
    }
    /* The condition of a while loop is told by what the loop carries. */
    struct ir_stmt *renamed =
        arena_dup(t->arena, rewrite_exprs(t->arena, copy, rename_one, t), sizeof *copy);
    renamed = arena_dup(t->arena, rewrite_blocks(t->arena, renamed, inner_block, t), sizeof *copy);
    if (loop)
        carried(t, &renamed->for_.results, NULL, &renamed->for_.iter_args);
    else if (s->kind == IR_WHILE)
        carried(t, &renamed->while_.results, NULL, &renamed->while_.iter_args);
    else if (s->kind == IR_IF)
        branch_results(t, renamed);
    vec_push(t->arena, t->out, renamed);
}

static void convert_stmt(struct tiling *t, struct ir_stmt *s)
{
    switch (s->kind) {
    case IR_ASSIGN:
        convert_assign(t, s);
        break;
    case IR_EVAL:
        convert_eval(t, s);
        break;
    case IR_IF:
    case IR_FOR:
    case IR_WHILE:
    case IR_SCOPE:
        convert_nested(t, s);
        break;
    case IR_RETURN:
    case IR_YIELD:
    case IR_BREAK:
    case IR_CONTINUE:
        vec_push(t->arena, t->out, rewrite_exprs(t->arena, s, rename_one, t));
        break;
    }
}

void tiling_block(struct tiling *t, const ir_block *body)
{
    vec_foreach (struct ir_stmt *, s, body) {
        convert_stmt(t, *s);
        if (t->diag->failed)
            return;
    }
}
