/* SPDX-License-Identifier: MIT */
#include "ir/canon.h"

#include <stdlib.h>
#include <string.h>

#include "ir/ops.h"

/* ---- order ---- */

static int by_func_name(const void *x, const void *y)
{
    return strcmp((*(struct ir_func *const *)x)->name, (*(struct ir_func *const *)y)->name);
}

canon_funcs canon_program(struct arena *a, const struct ir_program *p)
{
    canon_funcs out = {0};
    vec_foreach (struct ir_func *, f, &p->funcs)
        vec_push(a, &out, *f);
    if (out.len > 1)
        qsort(out.items, out.len, sizeof *out.items, by_func_name);
    return out;
}

static int by_name(const void *x, const void *y)
{
    return strcmp(((const struct ir_kwarg *)x)->name, ((const struct ir_kwarg *)y)->name);
}

static bool is_empty_attrs(const struct ir_kwarg *k)
{
    return k->value->kind == IR_DICT && k->value->dict.len == 0 && strcmp(k->name, "attrs") == 0;
}

static bool is_canonical(const ir_kwargs *kw)
{
    for (size_t i = 0; i < kw->len; i++)
        if (is_empty_attrs(&kw->items[i]) ||
            (i > 0 && by_name(&kw->items[i - 1], &kw->items[i]) > 0))
            return false;
    return true;
}

ir_kwargs canon_kwargs(struct arena *a, const ir_kwargs *kw)
{
    if (is_canonical(kw))
        return *kw;
    ir_kwargs out = {0};
    vec_foreach (struct ir_kwarg, k, kw)
        if (!is_empty_attrs(k))
            vec_push(a, &out, *k);
    if (out.len > 1)
        qsort(out.items, out.len, sizeof *out.items, by_name);
    return out;
}

static void put_keyword(struct arena *a, ir_kwargs *kw, const char *name, struct ir_expr *value)
{
    const struct ir_kwarg k = {name, value, value->span};
    vec_push(a, kw, k);
}

static struct ir_expr *named(struct arena *a, const char *name, struct span at)
{
    struct ir_expr *e = ir_expr_new(a, IR_NAME, at);
    e->name = name;
    return e;
}

static bool is_named(const struct ir_expr *e, const char *name)
{
    return e && e->kind == IR_NAME && strcmp(e->name, name) == 0;
}

/* ---- calls ---- */

static bool is_default(const struct ir_call *call, const struct ir_kwarg *k)
{
    const struct ir_op_kwarg *row = call->op ? ir_op_keyword(call->op, k->name) : NULL;
    return row && ir_op_is_default(row, k->value);
}

/* The scopes of text, with the names of what may stand in front of their keywords. */
static const struct scope_form {
    const char *name, *operands[2];
} scopes[] = {
    {"at", {"level", "role"}}, {"spmd", {"core_num"}}, {"split_aiv", {"n"}},
    {"cluster", {NULL}},       {"scope", {NULL}},      {"manual_scope", {NULL}},
};

static const struct scope_form *scope_form(const struct ir_call *call)
{
    for (size_t i = 0; !call->op && i < sizeof scopes / sizeof *scopes; i++)
        if (strcmp(scopes[i].name, call->name) == 0)
            return &scopes[i];
    return NULL;
}

static bool is_list(const struct ir_expr *e)
{
    return e->kind == IR_LIST || e->kind == IR_TUPLE;
}

/* A keyword of a scope or launch that is as good as none. */
static bool says_nothing(const struct ir_kwarg *k)
{
    static const char *const optional[] = {
        "sync_start",  "allow_early_resolve", "windowize", "deps",      "dumps",
        "no_dep_args", "optimizations",       "name_hint", "predicate", "mode"};
    const struct ir_expr *e = k->value;
    bool named = false;
    for (size_t i = 0; i < sizeof optional / sizeof *optional; i++)
        named |= strcmp(k->name, optional[i]) == 0;
    return named && (e->kind == IR_NONE || (e->kind == IR_BOOLEAN && !e->boolean) ||
                     (e->kind == IR_STRING && !*e->string) || (is_list(e) && !e->items.len) ||
                     is_named(e, "pl.ScopeMode.AUTO"));
}

/* The last part of a name: "split" of "optimizations.split". */
static bool ends_in(const struct ir_expr *e, const char *name)
{
    const char *dot = e->kind == IR_CALL ? strrchr(e->call.name, '.') : NULL;
    return e->kind == IR_CALL && strcmp(dot ? dot + 1 : e->call.name, name) == 0;
}

/* [split(MODE), cross_core_slot(N)]: the mode, then the number of slots, as plain values; in an
 * InCore scope no split is what is not written. */
static struct ir_expr *canon_optimizations(struct arena *a, struct ir_expr *list, bool incore)
{
    struct ir_expr *mode = NULL, *slots = NULL, *out = ir_expr_new(a, IR_DICT, list->span);
    vec_foreach (struct ir_expr *, it, &list->items) {
        struct ir_expr *e = *it, *given;
        if (!ends_in(e, "split") && !ends_in(e, "cross_core_slot"))
            return list;
        given = ir_kwarg_find(&e->call.kwargs, "slot_num");
        slots = given ? given : slots;
        if (ends_in(e, "split"))
            mode =
                e->call.args.len ? e->call.args.items[0] : ir_kwarg_find(&e->call.kwargs, "mode");
    }
    if (mode && !(incore && is_named(mode, "pl.SplitMode.NONE")))
        put_keyword(a, &out->dict, "mode", mode);
    if (slots)
        put_keyword(a, &out->dict, "slot_num", slots);
    return out;
}

static struct ir_call canon_launch(struct arena *a, const struct ir_call *call,
                                   const struct scope_form *form)
{
    struct ir_call out = *call;
    out.kwargs = (ir_kwargs){0};
    if (form)
        out.args = (ir_exprs){0};
    for (size_t i = 0; form && i < call->args.len; i++)
        if (i < 2 && form->operands[i])
            put_keyword(a, &out.kwargs, form->operands[i], call->args.items[i]);
        else
            vec_push(a, &out.args, call->args.items[i]);
    vec_foreach (struct ir_kwarg, k, &call->kwargs)
        if (!says_nothing(k))
            vec_push(a, &out.kwargs, *k);
    vec_foreach (struct ir_kwarg, k, &out.kwargs) {
        if (strcmp(k->name, "level") == 0 && k->value->kind == IR_NAME)
            k->value = named(a, canon_level(k->value->name), k->value->span);
        if (strcmp(k->name, "optimizations") == 0 && is_list(k->value))
            k->value = canon_optimizations(a, k->value, form && !strcmp(form->name, "at"));
    }
    for (size_t i = out.kwargs.len; i-- > 0;) {
        struct ir_kwarg *k = &out.kwargs.items[i];
        bool manual = form && is_named(k->value, "pl.ScopeMode.MANUAL");
        if (manual)
            out.name = out.written = "manual_scope";
        if (manual || (k->value->kind == IR_DICT && !k->value->dict.len))
            *k = out.kwargs.items[--out.kwargs.len];
    }
    out.kwargs = canon_kwargs(a, &out.kwargs);
    return out;
}

struct ir_call canon_call(struct arena *a, const struct ir_call *call)
{
    const struct scope_form *form = scope_form(call);
    if (form || call->callee == IR_CALLEE_SUBMIT)
        return canon_launch(a, call, form);
    struct ir_call out = *call;
    out.kwargs = (ir_kwargs){0};
    vec_foreach (struct ir_kwarg, k, &call->kwargs)
        if (!is_default(call, k))
            vec_push(a, &out.kwargs, *k);
    out.kwargs = canon_kwargs(a, &out.kwargs);
    return out;
}

/* ---- functions ---- */

#define WORKER "pl.Role.SubWorker"

static const struct {
    const char *level, *role;
} implied[IR_FUNC_TYPE_COUNT] = {
    [IR_FUNC_INCORE] = {"pl.Level.CHIP_DIE", WORKER},
    [IR_FUNC_AIC] = {"pl.Level.AIC", WORKER},
    [IR_FUNC_AIV] = {"pl.Level.AIV", WORKER},
    [IR_FUNC_GROUP] = {"pl.Level.CORE_GROUP", WORKER},
    [IR_FUNC_ORCHESTRATION] = {"pl.Level.CHIP", "pl.Role.Orchestrator"},
    [IR_FUNC_GRAPH] = {"pl.Level.CHIP", "pl.Role.Orchestrator"},
};

static const struct {
    const char *alias, *name;
} level_names[] = {
    {"pl.Level.L2CACHE", "pl.Level.CHIP_DIE"}, {"pl.Level.PROCESSOR", "pl.Level.CHIP"},
    {"pl.Level.UMA", "pl.Level.CHIP"},         {"pl.Level.NODE", "pl.Level.HOST"},
    {"pl.Level.POD", "pl.Level.CLUSTER_0"},    {"pl.Level.CLOS1", "pl.Level.CLUSTER_1"},
    {"pl.Level.CLOS2", "pl.Level.CLUSTER_2"},
};

const char *canon_implied_level(enum ir_func_type type)
{
    return implied[type].level;
}

const char *canon_implied_role(enum ir_func_type type)
{
    return implied[type].role;
}

const char *canon_level(const char *name)
{
    for (size_t i = 0; i < sizeof level_names / sizeof *level_names; i++)
        if (strcmp(level_names[i].alias, name) == 0)
            return level_names[i].name;
    return name;
}

bool canon_at_core_group(const struct ir_call *at)
{
    const struct ir_expr *level =
        at->args.len ? at->args.items[0] : ir_kwarg_find(&at->kwargs, "level");
    return level && level->kind == IR_NAME &&
           strcmp(canon_level(level->name), "pl.Level.CORE_GROUP") == 0;
}

/* A written keyword, or the value that its absence implies. */
static void put_implied(struct arena *a, ir_kwargs *out, const struct ir_func *f,
                        const char *keyword, const char *value)
{
    const struct ir_expr *written = ir_kwarg_find(&f->decorator, keyword);
    if (written && written->kind == IR_NAME)
        put_keyword(a, out, keyword, named(a, canon_level(written->name), written->span));
    else if (!written && value)
        put_keyword(a, out, keyword, named(a, value, f->span));
}

/* The attributes: auto_scope=False is one of them. */
static void put_attrs(struct arena *a, ir_kwargs *out, const struct ir_func *f)
{
    const struct ir_expr *scope = ir_kwarg_find(&f->decorator, "auto_scope");
    struct ir_expr *attrs = ir_expr_new(a, IR_DICT, f->span);
    if (scope && scope->kind == IR_BOOLEAN && !scope->boolean)
        put_keyword(a, &attrs->dict, "auto_scope", (struct ir_expr *)scope);
    vec_foreach (struct ir_kwarg, k, &f->attrs)
        vec_push(a, &attrs->dict, *k);
    if (attrs->dict.len)
        put_keyword(a, out, "attrs", attrs);
}

ir_kwargs canon_decorator(struct arena *a, const struct ir_func *f)
{
    static const char *const elsewhere[] = {"type", "strict_ssa", "auto_scope", "level", "role"};
    ir_kwargs out = {0};
    vec_foreach (struct ir_kwarg, k, &f->decorator) {
        bool other = true;
        for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
            other &= strcmp(k->name, elsewhere[i]) != 0;
        if (other)
            vec_push(a, &out, *k);
    }
    put_attrs(a, &out, f);
    put_implied(a, &out, f, "level", implied[f->type].level);
    put_implied(a, &out, f, "role", implied[f->type].role);
    return canon_kwargs(a, &out);
}

/* ---- types ---- */

static bool is_form(const struct ir_expr *e, const char *name)
{
    return e->kind == IR_CALL && e->call.name && strcmp(e->call.name, name) == 0;
}

/* Extents count by their value, names by identity. */
static bool same_extents(const struct ir_expr *list, const ir_exprs *shape)
{
    if ((list->kind != IR_LIST && list->kind != IR_TUPLE) || list->items.len != shape->len)
        return false;
    for (size_t i = 0; i < shape->len; i++) {
        const struct ir_expr *x = list->items.items[i], *y = shape->items[i];
        if (x->kind != y->kind || (x->kind == IR_INT && x->integer.value != y->integer.value) ||
            (x->kind == IR_VAR && x->var != y->var) || (x->kind != IR_INT && x->kind != IR_VAR))
            return false;
    }
    return true;
}

static bool is_column(const ir_exprs *shape)
{
    return shape->len == 2 && shape->items[0]->kind == IR_INT && shape->items[1]->kind == IR_INT &&
           shape->items[1]->integer.value == 1 && shape->items[0]->integer.value > 1;
}

#define ROWS "pl.TileLayout.row_major"
#define COLS "pl.TileLayout.col_major"

/* What a tile's memory says of its layout; an absent block layout follows from the shape. */
static const struct layout {
    const char *memory, *blayout, *slayout;
    int64_t fractal;
} layouts[] = {
    {"pl.Mem.Mat", COLS, ROWS, 512},
    {"pl.Mem.Left", COLS, ROWS, 512},
    {"pl.Mem.Right", NULL, COLS, 512},
    {"pl.Mem.Acc", COLS, ROWS, 1024},
    {"pl.Mem.LeftScale", ROWS, ROWS, 32},
    {"pl.Mem.RightScale", COLS, COLS, 32},
    {NULL, NULL, "pl.TileLayout.none_box", 512},
};

static struct layout layout_of(const struct ir_type *t)
{
    size_t i = 0;
    for (; layouts[i].memory; i++) {
        bool found = false;
        vec_foreach (struct ir_expr *, e, &t->annots)
            found |= is_named(*e, layouts[i].memory);
        if (found)
            break;
    }
    struct layout layout = layouts[i];
    if (!layout.blayout)
        layout.blayout = is_column(&t->shape) ? COLS : ROWS;
    return layout;
}

static bool is_implied(const struct ir_type *t, const struct ir_kwarg *k)
{
    if (strcmp(k->name, "valid_shape") == 0)
        return same_extents(k->value, &t->shape);
    if (strcmp(k->name, "pad") == 0)
        return is_named(k->value, "pl.PadValue.null");
    if (strcmp(k->name, "compact") == 0)
        return is_named(k->value, "pl.CompactMode.null");
    if (strcmp(k->name, "stride") == 0)
        return (k->value->kind == IR_LIST || k->value->kind == IR_TUPLE) && !k->value->items.len;
    if (t->kind != IR_TYPE_TILE)
        return strcmp(k->name, "layout") == 0 && is_named(k->value, "pl.TensorLayout.ND");
    const struct layout layout = layout_of(t);
    if (strcmp(k->name, "fractal") == 0)
        return k->value->kind == IR_INT && k->value->integer.value == layout.fractal;
    return (strcmp(k->name, "blayout") == 0 && is_named(k->value, layout.blayout)) ||
           (strcmp(k->name, "slayout") == 0 && is_named(k->value, layout.slayout));
}

/* A view without what it need not say, or NULL when nothing is left. A layout alone is a view. */
static struct ir_expr *canon_view(struct arena *a, const struct ir_type *t, struct ir_expr *e)
{
    struct ir_expr *view = ir_expr_new(a, IR_CALL, e->span);
    ir_kwargs said = {0};
    if (e->kind == IR_NAME) {
        view->call = (struct ir_call){
            .callee = IR_CALLEE_UNKNOWN, .name = "TensorView", .written = "TensorView"};
        put_keyword(a, &said, "layout", e);
    } else {
        view->call = e->call;
        said = e->call.kwargs;
    }
    view->call.kwargs = (ir_kwargs){0};
    vec_foreach (struct ir_kwarg, k, &said)
        if (!is_implied(t, k))
            vec_push(a, &view->call.kwargs, *k);
    return view->call.kwargs.len || view->call.args.len ? view : NULL;
}

/* MemRef(...), or the slot MemRef(...)[i] of one. */
static bool is_memref(const struct ir_expr *e)
{
    if (e->kind == IR_GETITEM)
        return is_memref(e->getitem.base);
    if (is_form(e, "[]") && e->call.args.len)
        return is_memref(e->call.args.items[0]);
    return is_form(e, "MemRef");
}

ir_exprs canon_annots(struct arena *a, const struct ir_type *t)
{
    static const char layout[] = "pl.TensorLayout.";
    ir_exprs out = {0};
    vec_foreach (struct ir_expr *, it, &t->annots) {
        struct ir_expr *e = *it;
        bool view = is_form(e, "TileView") || is_form(e, "TensorView") ||
                    (e->kind == IR_NAME && strncmp(e->name, layout, sizeof layout - 1) == 0);
        if (view)
            e = canon_view(a, t, e);
        if (e && !is_memref(e))
            vec_push(a, &out, e);
    }
    return out;
}

/* ---- assignments ---- */

static bool takes_apart(const struct ir_stmt *s)
{
    return s->kind == IR_ASSIGN && s->assign.targets.len > 1;
}

static void push_assign(struct arena *a, ir_block *out, const struct ir_stmt *s, struct ir_var *v,
                        struct ir_expr *value)
{
    struct ir_stmt *part = ir_stmt_new(a, IR_ASSIGN, s->span);
    vec_push(a, &part->assign.targets, v);
    part->assign.value = value;
    vec_push(a, out, part);
}

ir_block canon_block(struct arena *a, const ir_block *block)
{
    bool some = false;
    vec_foreach (struct ir_stmt *, s, block)
        some |= takes_apart(*s);
    if (!some)
        return *block;
    ir_block out = {0};
    vec_foreach (struct ir_stmt *, it, block) {
        const struct ir_stmt *s = *it;
        if (!takes_apart(s)) {
            vec_push(a, &out, *it);
            continue;
        }
        struct ir_var *all = ir_var_new(a, "", s->assign.value->type, s->span);
        push_assign(a, &out, s, all, s->assign.value);
        for (size_t i = 0; i < s->assign.targets.len; i++) {
            struct ir_expr *e = ir_expr_new(a, IR_GETITEM, s->span);
            e->getitem.base = ir_var_ref(a, all, s->span);
            e->getitem.index = (int64_t)i;
            e->type = s->assign.targets.items[i]->type;
            push_assign(a, &out, s, s->assign.targets.items[i], e);
        }
    }
    return out;
}
