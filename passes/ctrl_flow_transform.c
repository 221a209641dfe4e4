/* SPDX-License-Identifier: MIT */
#include "passes/ctrl_flow_transform.h"

#include "ir/infer.h"
#include "passes/refusals.h"
#include "passes/rewrite.h"

enum { MAX_STATEMENTS = 100000 };

struct transformer {
    struct arena *arena;
    const struct ir_program *prog;
    struct diag *diag;
    struct map names; /* in use in the function */
    unsigned next;
    int statements; /* placed in the function */
};

/* ---- what there is ---- */

static enum walk is_jump(const struct ir_stmt *s, void *ctx)
{
    (void)ctx;
    return s->kind == IR_BREAK || s->kind == IR_CONTINUE ? WALK_FOUND : WALK_INTO;
}

bool has_jump(const ir_block *block)
{
    return pass_find_stmt(block, is_jump, NULL);
}

/* A jump of the loop whose body is walked, not of a loop inside. */
static enum walk is_own_jump(const struct ir_stmt *s, void *kind)
{
    const enum ir_stmt_kind *wanted = kind;
    if (s->kind == IR_FOR || s->kind == IR_WHILE)
        return WALK_OVER;
    return s->kind == *wanted ? WALK_FOUND : WALK_INTO;
}

static bool holds(const ir_block *block, enum ir_stmt_kind kind)
{
    return pass_find_stmt(block, is_own_jump, &kind);
}

static enum walk is_jump_in_scope(const struct ir_stmt *s, void *ctx)
{
    (void)ctx;
    if (s->kind == IR_FOR || s->kind == IR_WHILE)
        return WALK_OVER;
    if (s->kind != IR_SCOPE)
        return WALK_INTO;
    return pass_leaves_loop(&s->scope.body) ? WALK_FOUND : WALK_OVER;
}

/* ---- what is made ---- */

static struct ir_expr *negation(struct transformer *t, struct ir_var *v, struct span at)
{
    struct ir_expr *e = ir_expr_new(t->arena, IR_UNARY, at);
    e->unary.op = IR_NOT;
    e->unary.operand = ir_var_ref(t->arena, v, at);
    e->type = ir_scalar_type(IR_BOOL);
    return e;
}

static struct ir_stmt *statement(struct transformer *t, enum ir_stmt_kind kind, struct span at)
{
    struct ir_stmt *s = arena_new(t->arena, struct ir_stmt);
    s->kind = kind;
    s->span = at;
    return s;
}

static struct ir_var *new_variable(struct transformer *t, const char *base, struct ir_type *type,
                                   struct span at)
{
    const char *name;
    do
        name = arena_printf(t->arena, "%s__tmp_v%u", base, t->next++);
    while (map_get_text(&t->names, name));
    return ir_var_new(t->arena, name, type, at);
}

/* ---- bodies ---- */

/* The jump that is taken out; flag: what a break sets, or NULL for a continue. */
struct jump {
    enum ir_stmt_kind kind;
    struct ir_var *flag;
};

static ir_block without(struct transformer *t, const struct jump *j, const ir_block *body);

/* A branch of branching, which may be left in its middle: what it yields is assigned instead. */
static void push_branch(struct transformer *t, ir_block *out, const struct ir_stmt *branching,
                        const ir_block *branch)
{
    const ir_vars *results = &branching->if_.results;
    vec_foreach (struct ir_stmt *, s, branch) {
        if ((*s)->kind != IR_YIELD)
            vec_push(t->arena, out, *s);
        for (size_t i = 0; (*s)->kind == IR_YIELD && i < results->len; i++)
            vec_push(t->arena, out,
                     pass_assign(t->arena, results->items[i], (*s)->yield.values.items[i]));
    }
}

/* A branch, and behind it what of rest is still reached. */
static ir_block joined(struct transformer *t, const struct jump *j, const struct ir_stmt *branching,
                       const ir_block *branch, const ir_block *rest, size_t from)
{
    ir_block all = {0};
    push_branch(t, &all, branching, branch);
    for (size_t i = from; i < rest->len; i++)
        vec_push(t->arena, &all, rest->items[i]);
    return without(t, j, &all);
}

/* The body up to its first jump, and the branch of an if that may jump together with all that
 * stands behind the if. */
static ir_block without(struct transformer *t, const struct jump *j, const ir_block *body)
{
    ir_block out = {0};
    for (size_t i = 0; i < body->len && !t->diag->failed; i++) {
        struct ir_stmt *s = body->items[i];
        if (++t->statements > MAX_STATEMENTS)
            REFUSE(t, JUMP_SIZE, s->span, arena_printf(t->arena, "%d", (int)MAX_STATEMENTS));
        if (s->kind == j->kind) {
            if (j->flag)
                vec_push(t->arena, &out,
                         pass_assign(t->arena, j->flag, ir_bool(t->arena, true, s->span)));
            return out;
        }
        if (s->kind != IR_IF ||
            (!holds(&s->if_.then_body, j->kind) && !holds(&s->if_.else_body, j->kind))) {
            vec_push(t->arena, &out, s);
            continue;
        }
        struct ir_stmt *split = arena_dup(t->arena, s, sizeof *s);
        split->if_.then_body = joined(t, j, s, &s->if_.then_body, body, i + 1);
        split->if_.else_body = joined(t, j, s, &s->if_.else_body, body, i + 1);
        split->if_.results = (ir_vars){0};
        split->if_.has_else = split->if_.else_body.len || s->if_.has_else;
        vec_push(t->arena, &out, split);
        return out;
    }
    return out;
}

/* ---- loops ---- */

static bool assigns_what_is_read(const struct ir_expr *e, void *body)
{
    return e->kind != IR_VAR || !pass_assigns(body, e->var);
}

/* e, or a name in front of the loop for it where the loop changes what it reads. */
static struct ir_expr *bound_once(struct transformer *t, ir_block *out, const ir_block *body,
                                  struct ir_expr *e)
{
    if (ir_walk_expr(e, assigns_what_is_read, (void *)body))
        return e;
    struct ir_var *v = new_variable(t, "bound", e->type, e->span);
    vec_push(t->arena, out, pass_assign(t->arena, v, e));
    return ir_var_ref(t->arena, v, e->span);
}

/* i = start; while i < stop and not flag: body; if not flag: i = i + step. */
static void push_counted(struct transformer *t, ir_block *out, const struct ir_stmt *loop,
                         struct ir_var *flag, ir_block body)
{
    struct span at = loop->span;
    struct ir_var *i = loop->for_.var;
    int64_t step = 1;
    bool down = ir_const_int(t->prog, loop->for_.step, &step) && step < 0;
    struct ir_expr *stop = bound_once(t, out, &loop->for_.body, loop->for_.stop);
    struct ir_expr *by = bound_once(t, out, &loop->for_.body, loop->for_.step);
    vec_push(t->arena, out, pass_assign(t->arena, i, loop->for_.start));
    struct ir_stmt *advance = statement(t, IR_IF, at);
    advance->if_.cond = negation(t, flag, at);
    vec_push(
        t->arena, &advance->if_.then_body,
        pass_assign(t->arena, i, ir_binary(t->arena, IR_ADD, ir_var_ref(t->arena, i, at), by, at)));
    vec_push(t->arena, &body, advance);
    struct ir_stmt *w = statement(t, IR_WHILE, at);
    w->while_.cond =
        ir_binary(t->arena, IR_AND,
                  ir_binary(t->arena, down ? IR_GT : IR_LT, ir_var_ref(t->arena, i, at), stop, at),
                  negation(t, flag, at), at);
    w->while_.body = body;
    vec_push(t->arena, out, w);
}

static void push_flagged(struct transformer *t, ir_block *out, struct ir_stmt *loop, ir_block body)
{
    struct jump j = {.kind = IR_BREAK};
    j.flag = new_variable(t, "break", ir_scalar_type(IR_BOOL), loop->span);
    body = without(t, &j, &body);
    vec_push(t->arena, out, pass_assign(t->arena, j.flag, ir_bool(t->arena, false, loop->span)));
    if (loop->kind == IR_FOR) {
        push_counted(t, out, loop, j.flag, body);
        return;
    }
    struct ir_stmt *w = arena_dup(t->arena, loop, sizeof *loop);
    w->while_.cond =
        ir_binary(t->arena, IR_AND, loop->while_.cond, negation(t, j.flag, loop->span), loop->span);
    w->while_.body = body;
    vec_push(t->arena, out, w);
}

static ir_block *body_of(struct ir_stmt *loop)
{
    return loop->kind == IR_FOR ? &loop->for_.body : &loop->while_.body;
}

static bool is_loop_with_jump(struct ir_stmt *s)
{
    if (s->kind != IR_FOR && s->kind != IR_WHILE)
        return false;
    const ir_vars *carried = s->kind == IR_FOR ? &s->for_.iter_args : &s->while_.iter_args;
    const ir_block *body = body_of(s);
    return !carried->len && pass_leaves_loop(body) && !pass_find_stmt(body, is_jump_in_scope, NULL);
}

static void transform_block(void *ctx, ir_block *block)
{
    struct transformer *t = ctx;
    const struct jump next = {.kind = IR_CONTINUE};
    ir_block out = {0};
    bool changed = false;
    for (size_t i = 0; i < block->len && !t->diag->failed; i++) {
        struct ir_stmt *s = rewrite_blocks(t->arena, block->items[i], transform_block, t);
        bool jumps = is_loop_with_jump(s);
        changed |= jumps || s != block->items[i];
        if (!jumps) {
            vec_push(t->arena, &out, s);
            continue;
        }
        struct ir_stmt *loop = arena_dup(t->arena, s, sizeof *s);
        *body_of(loop) = without(t, &next, body_of(loop));
        if (holds(body_of(loop), IR_BREAK))
            push_flagged(t, &out, loop, *body_of(loop));
        else
            vec_push(t->arena, &out, loop);
    }
    if (changed)
        *block = out;
}

static struct ir_func *transform_func(void *ctx, struct ir_func *f)
{
    struct transformer *t = ctx;
    if (!has_jump(&f->body))
        return f;
    ir_block body = f->body;
    t->next = 0;
    t->statements = 0;
    t->names.head = NULL;
    pass_names_in_use(f, &t->names);
    transform_block(t, &body);
    return t->diag->failed ? NULL : pass_with_body(t->arena, f, body);
}

struct ir_program *ctrl_flow_transform(struct arena *a, const struct ir_program *p,
                                       const struct pass_options *o, struct diag *d)
{
    (void)o;
    struct transformer t = {.arena = a, .prog = p, .diag = d, .names.arena = a};
    return rewrite_funcs(a, p, PASS_CORE, transform_func, &t);
}
