/* SPDX-License-Identifier: MIT */
/* Programs, functions and statements in the compiler's printed form (pypto-facts 1.3, 1.6), and
 * names. */
#include "ir/print.h"

#include <string.h>

#include "base/table.h"
#include "ir/print_internal.h"

/* ---- names ---- */

static struct naming naming_make(struct arena *a)
{
    return (struct naming){
        .by_var.arena = a, .owner.arena = a, .suffixes.arena = a, .declared.arena = a};
}

struct printer printer_make(struct arena *a, const struct ir_program *prog)
{
    return (struct printer){.arena = a,
                            .out = strbuf_make(a),
                            .prog = prog,
                            .names = naming_make(a),
                            .functions.arena = a,
                            .module.arena = a,
                            .by_window.arena = a,
                            .labels.arena = a,
                            .label_suffixes.arena = a};
}

/* base, or the first of base_1, base_2, ... that is neither owned nor reserved; suffixes tells
 * where to start looking. */
static const char *free_name(const struct map *owner, const struct map *reserved,
                             struct map *suffixes, const char *base)
{
    if (!map_get_text(owner, base) && !map_get_text(reserved, base))
        return base;
    for (uintptr_t n = (uintptr_t)map_get_text(suffixes, base) + 1;; n++) {
        const char *name = arena_printf(owner->arena, "%s_%lu", base, (unsigned long)n);
        if (map_get_text(owner, name) || map_get_text(reserved, name))
            continue;
        map_put_text(suffixes, base, (void *)n);
        return name;
    }
}

const char *print_name(struct printer *pr, const struct ir_var *v)
{
    const char *name = map_get(&pr->names.by_var, v);
    if (!name) {
        /* Bare functions are called by name, so a variable must not hide one. */
        bool bare = pr->prog && !pr->prog->name;
        static const struct map none;
        name = free_name(&pr->names.owner, bare ? &pr->functions : &none, &pr->names.suffixes,
                         v->name);
        map_put(&pr->names.by_var, v, (void *)name);
        map_put_text(&pr->names.owner, name, (void *)v);
        if (map_get(&pr->module, v))
            vec_push(pr->arena, &pr->names.mentioned, (struct ir_var *)v);
    }
    return name;
}

/* The name of a variable that only its loop knows is free again behind the loop. */
static void release_name(struct printer *pr, const struct ir_var *v)
{
    map_put_text(&pr->names.owner, print_name(pr, v), NULL);
    map_put_text(&pr->names.suffixes, v->name, NULL);
}

const char *print_label(struct printer *pr, const struct ir_window_buffer *w)
{
    const char *label = map_get(&pr->by_window, w);
    if (!label) {
        const char *name =
            w->base ? arena_printf(pr->arena, "%s_window", print_name(pr, w->base)) : w->name;
        label = free_name(&pr->labels, &pr->labels, &pr->label_suffixes, name);
        map_put(&pr->by_window, w, (void *)label);
        map_put_text(&pr->labels, label, (void *)w);
    }
    return label;
}

/* ---- lines ---- */

static void start_line(struct printer *pr)
{
    strbuf_pad(&pr->out, ' ', 4 * (size_t)pr->indent);
}

static void print_names(struct printer *pr, const ir_vars *vars)
{
    for (size_t i = 0; i < vars->len; i++)
        strbuf_addf(&pr->out, "%s%s", i ? ", " : "", print_name(pr, vars->items[i]));
}

/* ": T", once for each variable that several statements assign. Returns T, or NULL for none. */
static const struct ir_type *print_annotation(struct printer *pr, const ir_vars *vars, bool always)
{
    if (vars->len != 1)
        return NULL;
    struct ir_var *v = vars->items[0];
    bool shown = v->type && (always || !map_get(&pr->names.declared, v));
    if (shown) {
        strbuf_add(&pr->out, ": ");
        print_type(pr, v->type);
    }
    map_put(&pr->names.declared, v, v);
    return shown ? v->type : NULL;
}

static void print_docstring(struct printer *pr, const char *doc)
{
    if (!doc)
        return;
    start_line(pr);
    strbuf_add(&pr->out, "\"\"\"");
    for (const char *c = doc; *c; c++) {
        if (*c == '\\' || *c == '"')
            strbuf_add(&pr->out, "\\");
        if ((unsigned char)*c < ' ' && *c != '\n')
            strbuf_addf(&pr->out, "\\x%02x", (unsigned char)*c);
        else
            strbuf_addn(&pr->out, c, 1);
    }
    strbuf_add(&pr->out, "\"\"\"\n");
}

/* ---- statements ---- */

/* A block, whose yield names the results of the statement that owns it. */
static void print_block(struct printer *pr, const ir_block *block, const ir_vars *results);

static void print_assign(struct printer *pr, const struct ir_stmt *s)
{
    const ir_vars *targets = &s->assign.targets;
    bool again = targets->len == 1 && map_get(&pr->names.declared, targets->items[0]);
    print_names(pr, &s->assign.targets);
    pr->annotation = print_annotation(pr, &s->assign.targets, s->assign.annotated);
    strbuf_add(&pr->out, " = ");
    print_value(pr, s->assign.value, again);
    strbuf_add(&pr->out, "\n");
}

static void print_yield(struct printer *pr, const struct ir_stmt *s, const ir_vars *results)
{
    if (results && results->len) {
        print_names(pr, results);
        print_annotation(pr, results, true);
        strbuf_add(&pr->out, " = ");
    }
    strbuf_add(&pr->out, "pl.yield_(");
    print_exprs(pr, &s->yield.values);
    strbuf_add(&pr->out, ")\n");
}

static void print_if(struct printer *pr, const struct ir_stmt *s)
{
    strbuf_add(&pr->out, "if ");
    print_expr(pr, s->if_.cond);
    strbuf_add(&pr->out, ":\n");
    print_block(pr, &s->if_.then_body, &s->if_.results);
    if (!s->if_.has_else)
        return;
    start_line(pr);
    strbuf_add(&pr->out, "else:\n");
    print_block(pr, &s->if_.else_body, &s->if_.results);
}

static void print_inits(struct printer *pr, const ir_exprs *inits, const char *comma)
{
    if (inits->len == 0)
        return;
    strbuf_addf(&pr->out, "%sinit_values=(", comma);
    print_exprs(pr, inits);
    strbuf_add(&pr->out, inits->len == 1 ? ",)" : ")");
}

static void print_iter_args(struct printer *pr, const ir_vars *vars)
{
    strbuf_add(&pr->out, "(");
    print_names(pr, vars);
    strbuf_add(&pr->out, vars->len == 1 ? ",)" : ")");
    vec_foreach (struct ir_var *, v, vars)
        map_put(&pr->names.declared, *v, *v);
}

static bool is_index(const struct ir_expr *e, int64_t value)
{
    return e->kind == IR_INT && e->integer.dtype == IR_INDEX && e->integer.value == value;
}

/* Start and step are left out when they are the INDEX constants 0 and 1 (pypto-facts 1.3). */
static void print_bounds(struct printer *pr, const struct ir_stmt *s)
{
    bool step = !is_index(s->for_.step, 1), start = step || !is_index(s->for_.start, 0);
    if (start) {
        print_expr(pr, s->for_.start);
        strbuf_add(&pr->out, ", ");
    }
    print_expr(pr, s->for_.stop);
    if (step) {
        strbuf_add(&pr->out, ", ");
        print_expr(pr, s->for_.step);
    }
}

/* A loop's own names, bound before its header is printed but after the expressions in it. */
static void print_for(struct printer *pr, const struct ir_stmt *s)
{
    struct strbuf whole = pr->out;
    bool comma = true;
    pr->out = strbuf_make(pr->arena);
    print_bounds(pr, s);
    print_inits(pr, &s->for_.inits, ", ");
    print_kwargs(pr, &s->for_.kwargs, &comma);
    const char *arguments = pr->out.text;
    pr->out = whole;
    strbuf_addf(&pr->out, "for %s", print_name(pr, s->for_.var));
    if (s->for_.iter_args.len) {
        strbuf_add(&pr->out, ", ");
        print_iter_args(pr, &s->for_.iter_args);
    }
    strbuf_addf(&pr->out, " in %s(%s):\n", ir_loop_name(s->for_.kind), arguments);
    map_put(&pr->names.declared, s->for_.var, s->for_.var);
    print_block(pr, &s->for_.body, &s->for_.results);
    release_name(pr, s->for_.var);
    vec_foreach (struct ir_var *, v, &s->for_.iter_args)
        release_name(pr, *v);
}

static void print_while(struct printer *pr, const struct ir_stmt *s)
{
    if (s->while_.iter_args.len == 0) {
        strbuf_add(&pr->out, "while ");
        print_expr(pr, s->while_.cond);
        strbuf_add(&pr->out, ":\n");
        print_block(pr, &s->while_.body, NULL);
        return;
    }
    struct strbuf whole = pr->out;
    pr->out = strbuf_make(pr->arena);
    print_inits(pr, &s->while_.inits, "");
    const char *inits = pr->out.text;
    pr->out = whole;
    strbuf_add(&pr->out, "for ");
    print_iter_args(pr, &s->while_.iter_args);
    strbuf_addf(&pr->out, " in pl.while_(%s):\n", inits);
    pr->indent++;
    start_line(pr);
    pr->indent--;
    strbuf_add(&pr->out, "pl.cond(");
    print_expr(pr, s->while_.cond);
    strbuf_add(&pr->out, ")\n");
    print_block(pr, &s->while_.body, &s->while_.results);
    vec_foreach (struct ir_var *, v, &s->while_.iter_args)
        release_name(pr, *v);
}

static void print_return(struct printer *pr, const struct ir_stmt *s)
{
    strbuf_add(&pr->out, s->return_.values.len ? "return " : "return");
    print_exprs(pr, &s->return_.values);
    strbuf_add(&pr->out, "\n");
}

/* for i in pl.spmd(4): */
static void print_lanes(struct printer *pr, const struct ir_stmt *s)
{
    struct strbuf whole = pr->out;
    pr->out = strbuf_make(pr->arena);
    print_expr(pr, s->scope.call);
    const char *call = pr->out.text;
    pr->out = whole;
    strbuf_addf(&pr->out, "for %s in %s:\n", print_name(pr, s->scope.var), call);
    map_put(&pr->names.declared, s->scope.var, s->scope.var);
    bool region = strcmp(s->scope.call->call.name, "split_aiv") == 0;
    pr->regions += region;
    print_block(pr, &s->scope.body, NULL);
    pr->regions -= region;
    release_name(pr, s->scope.var);
}

/* with pl.at(...) as task: */
static void print_scope(struct printer *pr, const struct ir_stmt *s, const ir_vars *results)
{
    if (s->scope.lanes) {
        print_lanes(pr, s);
        return;
    }
    strbuf_add(&pr->out, "with ");
    print_expr(pr, s->scope.call);
    if (s->scope.var) {
        strbuf_addf(&pr->out, " as %s", print_name(pr, s->scope.var));
        map_put(&pr->names.declared, s->scope.var, s->scope.var);
    }
    strbuf_add(&pr->out, ":\n");
    print_block(pr, &s->scope.body, results);
}

static void print_statement(struct printer *pr, const struct ir_stmt *s, const ir_vars *results)
{
    start_line(pr);
    switch (s->kind) {
    case IR_ASSIGN:
        print_assign(pr, s);
        break;
    case IR_EVAL:
        print_expr(pr, s->eval);
        strbuf_add(&pr->out, "\n");
        break;
    case IR_IF:
        print_if(pr, s);
        break;
    case IR_FOR:
        print_for(pr, s);
        break;
    case IR_WHILE:
        print_while(pr, s);
        break;
    case IR_YIELD:
        print_yield(pr, s, results);
        break;
    case IR_RETURN:
        print_return(pr, s);
        break;
    case IR_BREAK:
        strbuf_add(&pr->out, "break\n");
        break;
    case IR_CONTINUE:
        strbuf_add(&pr->out, "continue\n");
        break;
    case IR_SCOPE:
        print_scope(pr, s, results);
        break;
    }
}

static void print_block(struct printer *pr, const ir_block *block, const ir_vars *results)
{
    pr->indent++;
    if (block->len == 0) {
        start_line(pr);
        strbuf_add(&pr->out, "pass\n");
    }
    vec_foreach (struct ir_stmt *, s, block)
        print_statement(pr, *s, results);
    pr->indent--;
}

/* ---- functions ---- */

static void print_param(struct printer *pr, const struct ir_param *p)
{
    static const char *const open[] = {
        [IR_IN] = "", [IR_OUT] = "pl.Out[", [IR_INOUT] = "pl.InOut["};
    ROW_EACH(open, IR_DIRECTION_COUNT);
    strbuf_addf(&pr->out, "%s: %s", print_name(pr, p->var), open[p->direction]);
    print_type(pr, p->var->type);
    strbuf_add(&pr->out, p->direction == IR_IN ? "" : "]");
    map_put(&pr->names.declared, p->var, p->var);
}

/* A signature returns tuple[A, B]; elsewhere the type prints as
 * pl.Tuple[A, B] (pypto-facts 1.6). */
static void print_return_type(struct printer *pr, const struct ir_type *t)
{
    if (!t)
        return;
    strbuf_add(&pr->out, " -> ");
    if (t->kind != IR_TYPE_TUPLE || t->elems.len == 0) {
        print_type(pr, t);
        return;
    }
    strbuf_add(&pr->out, "tuple[");
    for (size_t i = 0; i < t->elems.len; i++) {
        strbuf_add(&pr->out, i ? ", " : "");
        print_type(pr, t->elems.items[i]);
    }
    strbuf_add(&pr->out, "]");
}

static void print_signature(struct printer *pr, const struct ir_func *f)
{
    bool comma = false;
    start_line(pr);
    strbuf_add(&pr->out, "@pl.function");
    if (f->decorator.len) {
        strbuf_add(&pr->out, "(");
        print_kwargs(pr, &f->decorator, &comma);
        strbuf_add(&pr->out, ")");
    }
    strbuf_add(&pr->out, "\n");
    start_line(pr);
    /* All parameters are bound before the first type: one may stand in another's shape. */
    vec_foreach (struct ir_param, p, &f->params)
        print_name(pr, p->var);
    strbuf_addf(&pr->out, "def %s(%s", f->name, f->has_self ? "self" : "");
    for (size_t i = 0; i < f->params.len; i++) {
        strbuf_add(&pr->out, i || f->has_self ? ", " : "");
        print_param(pr, &f->params.items[i]);
    }
    strbuf_add(&pr->out, ")");
    print_return_type(pr, f->return_type);
    strbuf_add(&pr->out, ":\n");
}

static void print_python(struct printer *pr, const char *text)
{
    while (*text) {
        size_t len = strcspn(text, "\n");
        if (len)
            strbuf_pad(&pr->out, ' ', 4 * (size_t)(pr->indent + 1));
        strbuf_addn(&pr->out, text, len);
        strbuf_add(&pr->out, "\n");
        text += len + (text[len] == '\n');
    }
}

static void print_function_once(struct printer *pr, const struct ir_func *f)
{
    print_signature(pr, f);
    pr->indent++;
    print_docstring(pr, f->doc);
    if (f->attrs.len) {
        start_line(pr);
        strbuf_add(&pr->out, "pl.func_attr(");
        print_dict(pr, &f->attrs);
        strbuf_add(&pr->out, ")\n");
    }
    pr->indent--;
    if (f->is_abstract) {
        strbuf_pad(&pr->out, ' ', 4 * (size_t)(pr->indent + 1));
        strbuf_add(&pr->out, "...\n");
    } else if (f->python) {
        print_python(pr, f->python);
    } else if (f->body.len || !(f->doc || f->attrs.len))
        print_block(pr, &f->body, NULL);
}

/* Twice: the first round finds which module-level names the function mentions, the second keeps
 * them free. */
static void print_function(struct printer *pr, const struct ir_func *f)
{
    struct printer first = printer_make(pr->arena, pr->prog);
    first.module = pr->module;
    first.functions = pr->functions;
    print_function_once(&first, f);
    ir_vars mentioned = first.names.mentioned;
    pr->names = naming_make(pr->arena);
    vec_foreach (struct ir_var *, v, &mentioned)
        print_name(pr, *v);
    print_function_once(pr, f);
}

/* ---- programs ---- */

static void print_globals(struct printer *pr, const struct ir_program *p)
{
    vec_foreach (struct ir_global, g, &p->globals) {
        map_put(&pr->module, g->var, g->var);
        strbuf_addf(&pr->out, "%s = pl.dynamic(\"%s\")\n", g->var->name, g->var->name);
    }
    vec_foreach (struct ir_var *, v, &p->implicit_symbols)
        map_put(&pr->module, *v, *v);
}

char *ir_print(struct arena *a, const struct ir_program *p)
{
    struct printer pr = printer_make(a, p);
    if (p->header)
        strbuf_addf(&pr.out, "# pypto.program: %s\n", p->header);
    if (!p->name)
        print_docstring(&pr, p->doc);
    strbuf_add(&pr.out, "import pypto.language as pl\nimport pypto.language.distributed as pld\n");
    print_globals(&pr, p);
    if (p->name) {
        strbuf_addf(&pr.out, "@pl.program\nclass %s:\n", p->name);
        pr.indent = 1;
        print_docstring(&pr, p->doc);
    }
    vec_foreach (struct ir_func *, f, &p->funcs)
        map_put_text(&pr.functions, (*f)->name, *f);
    vec_foreach (struct ir_func *, f, &p->funcs)
        print_function(&pr, *f);
    return pr.out.text;
}
