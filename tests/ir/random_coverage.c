/* SPDX-License-Identifier: MIT */
/* Which constructs a program holds, counted over its tree: what was
 * generated, not what was meant. */
#include <string.h>

#include "ir/ops.h"
#include "tests/ir/random_program.h"

static const char *const stmt_names[] = {
    [IR_ASSIGN] = "assign",     [IR_EVAL] = "eval",   [IR_IF] = "if",         [IR_FOR] = "for",
    [IR_WHILE] = "while",       [IR_YIELD] = "yield", [IR_RETURN] = "return", [IR_BREAK] = "break",
    [IR_CONTINUE] = "continue", [IR_SCOPE] = "scope",
};
static const char *const expr_names[] = {
    [IR_VAR] = "variable",  [IR_INT] = "integer", [IR_FLOAT] = "float", [IR_BOOLEAN] = "boolean",
    [IR_STRING] = "string", [IR_NONE] = "None",   [IR_NAME] = "name",   [IR_CALL] = "call",
    [IR_TUPLE] = "tuple",   [IR_LIST] = "list",   [IR_DICT] = "dict",   [IR_GETITEM] = "item",
    [IR_BINARY] = "binary", [IR_UNARY] = "unary", [IR_CAST] = "cast",
};
static const char *const binary_names[IR_BINARY_COUNT] = {
    [IR_ADD] = "+",    [IR_SUB] = "-",     [IR_MUL] = "*",    [IR_FLOORDIV] = "//",
    [IR_MOD] = "%",    [IR_TRUEDIV] = "/", [IR_POW] = "**",   [IR_EQ] = "==",
    [IR_NE] = "!=",    [IR_LT] = "<",      [IR_LE] = "<=",    [IR_GT] = ">",
    [IR_GE] = ">=",    [IR_AND] = "and",   [IR_OR] = "or",    [IR_XOR] = "logical ^",
    [IR_BITAND] = "&", [IR_BITOR] = "|",   [IR_BITXOR] = "^", [IR_SHL] = "<<",
    [IR_SHR] = ">>",   [IR_MIN] = "min",   [IR_MAX] = "max",
};
static const char *const unary_names[IR_UNARY_COUNT] = {
    [IR_NEG] = "-", [IR_NOT] = "not", [IR_BITNOT] = "~", [IR_ABS] = "abs"};
static const char *const callee_names[] = {[IR_CALLEE_OP] = "operator",
                                           [IR_CALLEE_UNKNOWN] = "unknown operator",
                                           [IR_CALLEE_USER] = "function",
                                           [IR_CALLEE_SUBMIT] = "launch"};
static const char *const type_names[] = {
    [IR_TYPE_UNKNOWN] = "unknown",  [IR_TYPE_SCALAR] = "scalar",
    [IR_TYPE_TENSOR] = "tensor",    [IR_TYPE_DIST_TENSOR] = "distributed tensor",
    [IR_TYPE_TILE] = "tile",        [IR_TYPE_TUPLE] = "tuple",
    [IR_TYPE_PTR] = "ptr",          [IR_TYPE_WINDOW_BUFFER] = "window buffer",
    [IR_TYPE_COMM_CTX] = "context", [IR_TYPE_MEMREF] = "memref",
    [IR_TYPE_OTHER] = "other",
};
static const char *const loop_names[IR_LOOP_KIND_COUNT] = {[IR_RANGE] = "range",
                                                           [IR_PARALLEL] = "parallel",
                                                           [IR_UNROLL] = "unroll",
                                                           [IR_PIPELINE] = "pipeline"};
static const char *const effect_names[] = {
    [IR_EFFECT_PURE] = "pure",     [IR_EFFECT_READ] = "read",
    [IR_EFFECT_WRITE] = "write",   [IR_EFFECT_REMOTE_WRITE] = "remote write",
    [IR_EFFECT_NOTIFY] = "notify", [IR_EFFECT_WAIT] = "wait",
    [IR_EFFECT_MARKER] = "marker", [IR_EFFECT_COLLECTIVE] = "collective",
    [IR_EFFECT_HOST] = "host",     [IR_EFFECT_SILENT_WRITE] = "silent write",
    [IR_EFFECT_LANE] = "lane",
};
static const char *const direction_names[] = {
    [IR_IN] = "In", [IR_OUT] = "Out", [IR_INOUT] = "InOut"};

enum group {
    G_STMT,
    G_EXPR,
    G_BINARY,
    G_UNARY,
    G_CALLEE,
    G_TYPE,
    G_LOOP,
    G_EFFECT,
    G_DIRECTION,
    G_DTYPE,
    G_FUNC,
    G_FORM,
    G_COUNT
};

/* Forms that no single enum value names. */
enum form {
    FORM_CLASS,
    FORM_BARE,
    FORM_HEADER,
    FORM_DOC,
    FORM_DYNAMIC,
    FORM_IMPLICIT,
    FORM_NO_SELF,
    FORM_ABSTRACT,
    FORM_RETURN_TUPLE,
    FORM_PHI,
    FORM_ELSE,
    FORM_CARRIED_FOR,
    FORM_CARRIED_WHILE,
    FORM_INT64_BOUND,
    FORM_LOOP_ATTRS,
    FORM_TARGETS,
    FORM_ANNOTATED,
    FORM_LANES,
    FORM_TASK,
    FORM_YIELD_IN_SCOPE,
    FORM_DOMAIN,
    FORM_SLOT,
    FORM_REFERENCE,
    FORM_RECORDED,
    FORM_NAMED_ALLOC,
    FORM_DEVICE,
    FORM_CALL_ATTRS,
    FORM_ANNOTS,
    FORM_SUBSCRIPT,
    FORM_TAIL_PADDING,
    FORM_NOT_FINITE,
    FORM_TYPE_VALUE,
    FORM_COUNT
};
static const char *const form_names[FORM_COUNT] = {
    "class",
    "bare functions",
    "header",
    "docstring",
    "pl.dynamic",
    "implicit symbol",
    "no self",
    "abstract",
    "several results",
    "phi",
    "else",
    "for with state",
    "while with state",
    "INT64 bound",
    "loop attrs",
    "several targets",
    "annotation",
    "lanes",
    "task of a scope",
    "yield in scope",
    "comm domain",
    "window slot",
    "window reference",
    "recorded call",
    "named alloc",
    "device",
    "call attrs",
    "type annotations",
    "subscript",
    "tail padding",
    "not finite",
    "type as value",
};

static const struct {
    const char *title;
    const char *const *names; /* NULL: names come from a function of the ir */
    size_t len;
} groups[G_COUNT] = {
    [G_STMT] = {"statement", stmt_names, sizeof stmt_names / sizeof *stmt_names},
    [G_EXPR] = {"expression", expr_names, sizeof expr_names / sizeof *expr_names},
    [G_BINARY] = {"binary", binary_names, IR_BINARY_COUNT},
    [G_UNARY] = {"unary", unary_names, IR_UNARY_COUNT},
    [G_CALLEE] = {"call of", callee_names, sizeof callee_names / sizeof *callee_names},
    [G_TYPE] = {"type", type_names, sizeof type_names / sizeof *type_names},
    [G_LOOP] = {"loop", loop_names, IR_LOOP_KIND_COUNT},
    [G_EFFECT] = {"effect", effect_names, sizeof effect_names / sizeof *effect_names},
    [G_DIRECTION] = {"direction", direction_names, 3},
    [G_DTYPE] = {"dtype", NULL, IR_DTYPE_COUNT},
    [G_FUNC] = {"function type", NULL, IR_FUNC_TYPE_COUNT},
    [G_FORM] = {"form", form_names, FORM_COUNT},
};

static size_t first_of(enum group group)
{
    size_t at = 0;
    for (int g = 0; g < (int)group; g++)
        at += groups[g].len;
    return at;
}

void coverage_init(struct coverage *c, struct arena *a)
{
    *c = (struct coverage){0};
    for (int g = 0; g < G_COUNT; g++) {
        for (size_t i = 0; i < groups[g].len; i++) {
            const char *name = g == G_DTYPE  ? ir_dtype_name((enum ir_dtype)i)
                               : g == G_FUNC ? ir_func_type_name((enum ir_func_type)i)
                                             : groups[g].names[i];
            c->items[c->len++].name = arena_printf(a, "%s %s", groups[g].title, name);
        }
    }
    c->items[first_of(G_DTYPE)].seen = SIZE_MAX / 2; /* NONE is no element type */
}

static void see(struct coverage *c, enum group group, size_t i)
{
    c->items[first_of(group) + i].seen++;
}

static void see_form(struct coverage *c, enum form form, bool present)
{
    if (present)
        see(c, G_FORM, form);
}

/* ---- the walk ---- */

static void see_expr(struct coverage *c, const struct ir_expr *e);

static void see_type(struct coverage *c, const struct ir_type *t)
{
    if (!t)
        return;
    see(c, G_TYPE, t->kind);
    if (t->dtype != IR_DTYPE_NONE)
        see(c, G_DTYPE, t->dtype);
    see_form(c, FORM_REFERENCE, t->window);
    see_form(c, FORM_ANNOTS, t->annots.len);
    vec_foreach (struct ir_expr *, e, &t->shape)
        see_expr(c, *e);
    vec_foreach (struct ir_expr *, e, &t->annots)
        see_expr(c, *e);
    for (size_t i = 0; i < t->elems.len; i++)
        see_type(c, t->elems.items[i]);
}

static void see_call(struct coverage *c, const struct ir_expr *e)
{
    const struct ir_call *call = &e->call;
    see(c, G_CALLEE, call->callee);
    see_form(c, FORM_SLOT, strcmp(call->name, IR_WINDOW_SLOT) == 0);
    see_form(c, FORM_SUBSCRIPT, strcmp(call->name, "[]") == 0);
    see_form(c, FORM_DEVICE, ir_kwarg_find(&call->kwargs, "device"));
    see_form(c, FORM_CALL_ATTRS, call->attrs.len);
    see_form(c, FORM_RECORDED,
             call->callee == IR_CALLEE_UNKNOWN && e->type && ir_type_is_tensor_like(e->type));
    if (call->callee != IR_CALLEE_OP)
        return;
    see(c, G_EFFECT, call->op->effect);
    see_form(c, FORM_NAMED_ALLOC, ir_kwarg_find(&call->kwargs, "name"));
    see_form(c, FORM_TAIL_PADDING, ir_kwarg_find(&call->kwargs, "allow_physical_tail_padding"));
}

static bool see_node(const struct ir_expr *e, void *ctx)
{
    struct coverage *c = ctx;
    see(c, G_EXPR, e->kind);
    if (e->kind == IR_BINARY)
        see(c, G_BINARY, e->binary.op);
    else if (e->kind == IR_UNARY)
        see(c, G_UNARY, e->unary.op);
    else if (e->kind == IR_CALL)
        see_call(c, e);
    else if (e->kind == IR_FLOAT)
        see_form(c, FORM_NOT_FINITE, e->real.value != e->real.value);
    else if (e->kind == IR_NAME)
        see_form(c, FORM_TYPE_VALUE, e->type);
    return true;
}

static void see_expr(struct coverage *c, const struct ir_expr *e)
{
    ir_walk_expr(e, see_node, c);
}

static void see_exprs(struct coverage *c, const ir_exprs *items)
{
    vec_foreach (struct ir_expr *, e, items)
        see_expr(c, *e);
}

static void see_block(struct coverage *c, const ir_block *block);

static void see_for(struct coverage *c, const struct ir_stmt *s)
{
    see(c, G_LOOP, s->for_.kind);
    see_form(c, FORM_CARRIED_FOR, s->for_.iter_args.len);
    see_form(c, FORM_LOOP_ATTRS, ir_kwarg_find(&s->for_.kwargs, "attrs"));
    see_form(c, FORM_INT64_BOUND,
             s->for_.start->kind == IR_INT && s->for_.start->integer.dtype == IR_INT64);
    see_expr(c, s->for_.start);
    see_expr(c, s->for_.stop);
    see_expr(c, s->for_.step);
    see_exprs(c, &s->for_.inits);
    see_block(c, &s->for_.body);
}

static void see_scope(struct coverage *c, const struct ir_stmt *s)
{
    const ir_block *body = &s->scope.body;
    see_expr(c, s->scope.call);
    see_form(c, FORM_DOMAIN, ir_is_comm_domain(s));
    see_form(c, FORM_LANES, s->scope.lanes);
    see_form(c, FORM_TASK, s->scope.var && !s->scope.lanes);
    see_form(c, FORM_YIELD_IN_SCOPE, body->len && body->items[body->len - 1]->kind == IR_YIELD);
    see_block(c, body);
}

static void see_stmt(struct coverage *c, const struct ir_stmt *s)
{
    see(c, G_STMT, s->kind);
    switch (s->kind) {
    case IR_ASSIGN:
        see_form(c, FORM_TARGETS, s->assign.targets.len > 1);
        see_form(c, FORM_ANNOTATED, s->assign.annotated);
        vec_foreach (struct ir_var *, v, &s->assign.targets)
            see_type(c, (*v)->type);
        see_expr(c, s->assign.value);
        break;
    case IR_EVAL:
        see_expr(c, s->eval);
        break;
    case IR_IF:
        see_form(c, FORM_PHI, s->if_.results.len);
        see_form(c, FORM_ELSE, s->if_.has_else);
        see_expr(c, s->if_.cond);
        see_block(c, &s->if_.then_body);
        see_block(c, &s->if_.else_body);
        break;
    case IR_FOR:
        see_for(c, s);
        break;
    case IR_WHILE:
        see_form(c, FORM_CARRIED_WHILE, s->while_.iter_args.len);
        see_expr(c, s->while_.cond);
        see_block(c, &s->while_.body);
        break;
    case IR_YIELD:
        see_exprs(c, &s->yield.values);
        break;
    case IR_RETURN:
        see_exprs(c, &s->return_.values);
        break;
    case IR_SCOPE:
        see_scope(c, s);
        break;
    default:
        break;
    }
}

static void see_block(struct coverage *c, const ir_block *block)
{
    vec_foreach (struct ir_stmt *, s, block)
        see_stmt(c, *s);
}

static void see_func(struct coverage *c, const struct ir_func *f)
{
    see(c, G_FUNC, f->type);
    see_form(c, FORM_NO_SELF, !f->has_self);
    see_form(c, FORM_ABSTRACT, f->is_abstract);
    see_form(c, FORM_DOC, f->doc);
    see_form(c, FORM_RETURN_TUPLE, f->return_type && f->return_type->kind == IR_TYPE_TUPLE);
    vec_foreach (struct ir_param, p, &f->params) {
        see(c, G_DIRECTION, p->direction);
        see_type(c, p->var->type);
    }
    see_type(c, f->return_type);
    see_block(c, &f->body);
}

void coverage_add(struct coverage *c, const struct ir_program *p)
{
    see_form(c, p->name ? FORM_CLASS : FORM_BARE, true);
    see_form(c, FORM_HEADER, p->header);
    see_form(c, FORM_DOC, p->doc);
    see_form(c, FORM_IMPLICIT, p->implicit_symbols.len);
    see_form(c, FORM_DYNAMIC, p->globals.len);
    vec_foreach (struct ir_func *, f, &p->funcs)
        see_func(c, *f);
}
