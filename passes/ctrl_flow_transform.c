/* SPDX-License-Identifier: MIT */
#include "passes/ctrl_flow_transform.h"

#include "ir/infer.h"
#include "ir/names.h"
#include "ir/ops.h"
#include "passes/refusals.h"
#include "passes/rewrite.h"

enum { MAX_STATEMENTS = 100000 };

struct transformer {
    struct arena *arena;
    const struct ir_program *prog;
    struct diag *diag;
    const struct pass_options *options;
    struct map names; /* in use in the function */
    struct map lost;  /* values that a note has been made of */
    unsigned next;
    int statements; /* placed in the function */
};

/* ---- what there is ---- */

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

static struct ir_var *new_variable(struct transformer *t, const char *base, const char *role,
                                   struct ir_type *type, struct span at)
{
    const char *name;
    do
        name = ir_version_name(t->arena, base, role, t->next++);
    while (map_get_text(&t->names, name));
    return ir_var_new(t->arena, name, type, at);
}

/* ---- what a round carries on ---- */

/* The jump that is taken out. */
struct jump {
    enum ir_stmt_kind kind;
    struct ir_var *flag;    /* what it sets, or NULL */
    const ir_vars *carried; /* of its loop */
};

/* Statements, and what a round that gets behind them carries on. */
struct part {
    ir_block stmts;
    ir_exprs values;
};

/* The compiler's rule (pypto-front-facts 3.2): a variable that one of the statements themselves
 * assigns, or that the loop carries, is known behind them. */
static bool is_known(const struct jump *j, const ir_block *const fronts[2], const struct ir_var *v)
{
    for (int b = 0; b < 2; b++)
        for (size_t i = 0; fronts[b] && i < fronts[b]->len; i++) {
            const struct ir_stmt *s = fronts[b]->items[i];
            if (s->kind == IR_ASSIGN && ir_vars_hold(&s->assign.targets, v))
                return true;
        }
    return ir_vars_hold(j->carried, v);
}

/* The values behind these statements: those that are not known there are what they were when the
 * round began. */
static ir_exprs known_values(struct transformer *t, const struct jump *j,
                             const ir_block *const fronts[2], const ir_exprs *values)
{
    ir_exprs out = {0};
    for (size_t i = 0; i < values->len; i++) {
        struct ir_expr *e = values->items[i];
        bool lost = e->kind == IR_VAR && i < j->carried->len && !is_known(j, fronts, e->var);
        vec_push(t->arena, &out, lost ? ir_var_ref(t->arena, j->carried->items[i], e->span) : e);
    }
    return out;
}

/* What a break or continue behind these statements carries on. What is computed in the yield itself
 * is not computed for a break. */
static ir_exprs values_of_jump(struct transformer *t, const struct jump *j, const ir_block *front,
                               const ir_exprs *values)
{
    ir_exprs out = known_values(t, j, (const ir_block *const[2]){front}, values);
    for (size_t i = 0; j->kind == IR_BREAK && i < out.len && i < j->carried->len; i++)
        if (out.items[i]->kind != IR_VAR)
            out.items[i] = ir_var_ref(t->arena, j->carried->items[i], out.items[i]->span);
    return out;
}

/* What a round that goes on to its end carries on there. */
static ir_exprs values_of_end(struct transformer *t, const struct jump *j,
                              const ir_block *const fronts[2], const ir_exprs *values)
{
    ir_exprs out = known_values(t, j, fronts, values);
    for (size_t i = 0; i < out.len; i++) {
        const struct ir_expr *lost = values->items[i];
        if (out.items[i] == lost || map_get(&t->lost, lost))
            continue;
        map_put(&t->lost, lost, t);
        if (t->options->note)
            t->options->note(t->options->note_ctx, t->prog->source, lost->span,
                             arena_printf(t->arena,
                                          "CtrlFlowTransform: the compiler loses '%s' and carries "
                                          "on '%s' as it was when the round began: in a loop with "
                                          "a break or continue it knows only what the statements "
                                          "of the body itself assign",
                                          lost->var->shown, out.items[i]->var->shown));
    }
    return out;
}

/* ---- bodies ---- */

static struct part without(struct transformer *t, const struct jump *j, const ir_block *body,
                           const ir_exprs *values);

static void push_yield(struct transformer *t, ir_block *out, const ir_exprs *values, struct span at)
{
    struct ir_stmt *s = ir_stmt_new(t->arena, IR_YIELD, at);
    s->yield.values = *values;
    vec_push(t->arena, out, s);
}

/* The variables that stand for the values behind an if. */
static void push_results(struct transformer *t, ir_vars *results, const ir_exprs *values,
                         struct span at)
{
    vec_foreach (struct ir_expr *, e, values) {
        const char *base = (*e)->kind == IR_VAR ? (*e)->var->name : "phi";
        vec_push(t->arena, results, new_variable(t, base, "phi", (*e)->type, at));
    }
}

static ir_exprs references(struct transformer *t, const ir_vars *vars, struct span at)
{
    ir_exprs out = {0};
    vec_foreach (struct ir_var *, v, vars)
        vec_push(t->arena, &out, ir_var_ref(t->arena, *v, at));
    return out;
}

/* The if with these branches, and what is carried on behind it. A break has them yield also where
 * there is nothing to carry. */
static ir_exprs push_if(struct transformer *t, const struct jump *j, ir_block *out,
                        struct ir_expr *cond, struct part branches[2], struct span at)
{
    struct ir_stmt *s = ir_stmt_new(t->arena, IR_IF, at);
    bool yields = branches[0].values.len || j->kind == IR_BREAK;
    for (int b = 0; yields && b < 2; b++)
        push_yield(t, &branches[b].stmts, &branches[b].values, at);
    s->if_.cond = cond;
    s->if_.then_body = branches[0].stmts;
    s->if_.else_body = branches[1].stmts;
    s->if_.has_else = branches[1].stmts.len;
    push_results(t, &s->if_.results, &branches[0].values, at);
    vec_push(t->arena, out, s);
    return references(t, &s->if_.results, at);
}

/* A branch of branching, or of it a scope at its end, which may be left in its middle: what it
 * yields is assigned instead. */
static void push_branch(struct transformer *t, ir_block *out, const struct ir_stmt *branching,
                        const ir_block *branch)
{
    const ir_vars *results = &branching->if_.results;
    const struct ir_stmt *yield = ir_block_yield(branch);
    vec_foreach (struct ir_stmt *, s, branch) {
        bool last = s == &branch->items[branch->len - 1];
        if (yield && last && (*s)->kind == IR_SCOPE) {
            struct ir_stmt *scope = arena_dup(t->arena, *s, sizeof **s);
            scope->scope.body = (ir_block){0};
            push_branch(t, &scope->scope.body, branching, &(*s)->scope.body);
            vec_push(t->arena, out, scope);
            continue;
        }
        if ((*s)->kind != IR_YIELD)
            vec_push(t->arena, out, *s);
        for (size_t i = 0; (*s)->kind == IR_YIELD && i < results->len; i++)
            vec_push(t->arena, out,
                     pass_assign(t->arena, results->items[i], (*s)->yield.values.items[i]));
    }
}

static void push_rest(struct transformer *t, ir_block *out, const ir_block *body, size_t from)
{
    for (size_t i = from; i < body->len; i++)
        vec_push(t->arena, out, body->items[i]);
}

static void push_jump(struct transformer *t, const struct jump *j, ir_block *out, struct span at)
{
    if (j->flag)
        vec_push(t->arena, out, pass_assign(t->arena, j->flag, ir_bool(t->arena, true, at)));
}

/* The branch ends in the jump, and holds no other. */
static bool ends_in(const ir_block *branch, enum ir_stmt_kind kind)
{
    const ir_block front = {.items = branch->items, .len = branch->len ? branch->len - 1 : 0};
    return branch->len && branch->items[front.len]->kind == kind && !holds(&front, kind);
}

/* out, and behind it the if at `at` in the body, one of whose branches ends in the jump: what stands
 * behind the if goes into the other one. */
static struct part without_branch(struct transformer *t, const struct jump *j, ir_block out,
                                  const ir_block *body, size_t at, const ir_exprs *values)
{
    const struct ir_stmt *s = body->items[at];
    const ir_block *branches[2] = {&s->if_.then_body, &s->if_.else_body};
    int leaving = ends_in(branches[0], j->kind) ? 0 : 1;
    const ir_block *left = branches[leaving];
    ir_block rest = {0};
    push_branch(t, &rest, s, branches[!leaving]);
    push_rest(t, &rest, body, at + 1);
    struct part parts[2] = {{.values = values_of_jump(t, j, &out, values)}};
    const ir_block front = {.items = left->items, .len = left->len - 1};
    push_rest(t, &parts[0].stmts, &front, 0);
    push_jump(t, j, &parts[0].stmts, left->items[front.len]->span);
    const ir_exprs at_end = values_of_end(t, j, (const ir_block *const[2]){&out, &rest}, values);
    parts[1] = without(t, j, &rest, &at_end);
    struct part ordered[2] = {parts[leaving], parts[!leaving]};
    ir_exprs behind = push_if(t, j, &out, s->if_.cond, ordered, s->span);
    return (struct part){out, behind};
}

/* A branch, and behind it what of the body is still reached. */
static struct part joined(struct transformer *t, const struct jump *j, const ir_block *body,
                          size_t at, const ir_block *branch)
{
    ir_block all = {0};
    push_branch(t, &all, body->items[at], branch);
    push_rest(t, &all, body, at + 1);
    return without(t, j, &all, &(ir_exprs){0});
}

/* Did taking out the continues make the if, and are its results what the loop carries? */
static bool yields_carried(const struct ir_stmt *s, const ir_exprs *values)
{
    const ir_vars *results = &s->if_.results;
    bool same = results->len == values->len;
    for (size_t i = 0; same && i < values->len; i++)
        same = values->items[i]->kind == IR_VAR && values->items[i]->var == results->items[i];
    return same;
}

/* A branch of an if that may or may not jump, in a loop that carries values. */
static struct part carrying(struct transformer *t, const struct jump *j, const ir_block *out,
                            const struct ir_stmt *s, const ir_block *branch, const ir_exprs *values)
{
    struct part made = {.values = *values};
    const struct ir_stmt *yield = yields_carried(s, values) ? ir_block_yield(branch) : NULL;
    if (yield) {
        made.values = yield->yield.values;
        const ir_block front = {.items = branch->items, .len = branch->len - 1};
        push_rest(t, &made.stmts, &front, 0);
    } else {
        push_branch(t, &made.stmts, s, branch);
    }
    if (holds(branch, j->kind))
        return without(t, j, &made.stmts, &made.values);
    made.values = values_of_end(t, j, (const ir_block *const[2]){out}, &made.values);
    return made;
}

static bool is_computation(const struct ir_expr *e, void *ctx)
{
    (void)ctx;
    return e->kind != IR_CALL || (e->call.op && e->call.op->effect == IR_EFFECT_PURE);
}

static enum walk acts(const struct ir_stmt *s, void *ctx)
{
    bool computes = s->kind == IR_ASSIGN || s->kind == IR_IF || s->kind == IR_FOR ||
                    s->kind == IR_YIELD || s->kind == IR_CONTINUE;
    return computes && pass_walk_stmt(s, is_computation, ctx) ? WALK_INTO : WALK_FOUND;
}

/* out, and behind it the if at `at` in the body, of a loop that carries values; parts of its
 * branches jump. What stands behind the if runs where nothing jumped; where it only computes, the
 * compiler lets it run behind a continue too. */
static struct part without_inside(struct transformer *t, const struct jump *j, ir_block out,
                                  const ir_block *body, size_t at, const ir_exprs *values)
{
    const struct ir_stmt *s = body->items[at];
    struct jump mine = *j;
    ir_block rest = {0};
    push_rest(t, &rest, body, at + 1);
    if (!mine.flag && pass_find_stmt(&rest, acts, NULL)) {
        mine.flag = new_variable(t, "continue", "tmp", ir_scalar_type(IR_BOOL), s->span);
        vec_push(t->arena, &out,
                 pass_assign(t->arena, mine.flag, ir_bool(t->arena, false, s->span)));
    }
    struct part parts[2] = {carrying(t, &mine, &out, s, &s->if_.then_body, values),
                            carrying(t, &mine, &out, s, &s->if_.else_body, values)};
    ir_exprs now = push_if(t, &mine, &out, s->if_.cond, parts, s->span);
    if (!rest.len)
        return (struct part){out, now};
    struct part behind = without(t, &mine, &rest, &now);
    if (mine.flag) {
        struct part guarded[2] = {behind, {.values = now}};
        now = push_if(t, &mine, &out, negation(t, mine.flag, s->span), guarded, s->span);
        return (struct part){out, now};
    }
    push_rest(t, &out, &behind.stmts, 0);
    return (struct part){out, behind.values};
}

/* The body up to its first jump, and the branch of an if that may jump together with all that
 * stands behind the if. */
static struct part without(struct transformer *t, const struct jump *j, const ir_block *body,
                           const ir_exprs *values)
{
    ir_block out = {0};
    for (size_t i = 0; i < body->len && !t->diag->failed; i++) {
        const struct ir_stmt *s = body->items[i];
        if (++t->statements > MAX_STATEMENTS)
            REFUSE(t, JUMP_SIZE, s->span, arena_printf(t->arena, "%d", (int)MAX_STATEMENTS));
        if (s->kind == j->kind) {
            push_jump(t, j, &out, s->span);
            return (struct part){out, values_of_jump(t, j, &out, values)};
        }
        if (s->kind != IR_IF ||
            (!holds(&s->if_.then_body, j->kind) && !holds(&s->if_.else_body, j->kind))) {
            vec_push(t->arena, &out, body->items[i]);
            continue;
        }
        if (ends_in(&s->if_.then_body, j->kind) || ends_in(&s->if_.else_body, j->kind))
            return without_branch(t, j, out, body, i, values);
        if (values->len)
            return without_inside(t, j, out, body, i, values);
        struct part parts[2] = {joined(t, j, body, i, &s->if_.then_body),
                                joined(t, j, body, i, &s->if_.else_body)};
        push_if(t, j, &out, s->if_.cond, parts, s->span);
        return (struct part){.stmts = out};
    }
    return (struct part){out, *values};
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
    struct ir_var *v = new_variable(t, "bound", "tmp", e->type, e->span);
    vec_push(t->arena, out, pass_assign(t->arena, v, e));
    return ir_var_ref(t->arena, v, e->span);
}

/* i = start; while i < stop: body; if not flag: i = i + step. The loop that is copied is carried on
 * as it was. */
static struct ir_stmt *counted(struct transformer *t, ir_block *out, const struct ir_stmt *loop,
                               struct ir_var *flag, ir_block *body)
{
    struct span at = loop->span;
    struct ir_var *i = loop->for_.var;
    int64_t step = 1;
    bool down = ir_const_int(loop->for_.step, &step) && step < 0;
    struct ir_expr *stop = bound_once(t, out, &loop->for_.body, loop->for_.stop);
    struct ir_expr *by = bound_once(t, out, &loop->for_.body, loop->for_.step);
    vec_push(t->arena, out, pass_assign(t->arena, i, loop->for_.start));
    struct ir_stmt *advance = ir_stmt_new(t->arena, IR_IF, at);
    advance->if_.cond = negation(t, flag, at);
    vec_push(
        t->arena, &advance->if_.then_body,
        pass_assign(t->arena, i, ir_binary(t->arena, IR_ADD, ir_var_ref(t->arena, i, at), by, at)));
    vec_push(t->arena, body, advance);
    struct ir_stmt *w = ir_stmt_new(t->arena, IR_WHILE, at);
    w->while_.cond =
        ir_binary(t->arena, down ? IR_GT : IR_LT, ir_var_ref(t->arena, i, at), stop, at);
    w->while_.iter_args = loop->for_.iter_args;
    w->while_.inits = loop->for_.inits;
    w->while_.results = loop->for_.results;
    return w;
}

static ir_block *body_of(struct ir_stmt *loop)
{
    return loop->kind == IR_FOR ? &loop->for_.body : &loop->while_.body;
}

static const ir_vars *carried_by(const struct ir_stmt *loop)
{
    return loop->kind == IR_FOR ? &loop->for_.iter_args : &loop->while_.iter_args;
}

/* The body ends in its yield, or has none. */
static bool ends_in_yield(const ir_block *body)
{
    const struct ir_stmt *yield = ir_block_yield(body);
    return !yield || yield == body->items[body->len - 1];
}

static bool is_loop_with_jump(struct ir_stmt *s)
{
    if (s->kind != IR_FOR && s->kind != IR_WHILE)
        return false;
    const ir_block *body = body_of(s);
    return pass_leaves_loop(body) && !pass_find_stmt(body, is_jump_in_scope, NULL) &&
           ends_in_yield(body);
}

static void push_loop(struct transformer *t, ir_block *out, const struct ir_stmt *given)
{
    struct ir_stmt *loop = arena_dup(t->arena, given, sizeof *given);
    ir_block *body = body_of(loop);
    const struct ir_stmt *yield = ir_block_yield(body);
    struct part part = {.values = yield ? yield->yield.values : (ir_exprs){0}};
    const ir_block front = {.items = body->items, .len = body->len - (yield != NULL)};
    struct jump j = {.kind = IR_CONTINUE, .carried = carried_by(given)};
    part = without(t, &j, &front, &part.values);
    j.kind = IR_BREAK;
    if (holds(&part.stmts, j.kind)) {
        j.flag = new_variable(t, "break", "tmp", ir_scalar_type(IR_BOOL), loop->span);
        part = without(t, &j, &part.stmts, &part.values);
        if (loop->kind == IR_FOR)
            loop = counted(t, out, loop, j.flag, &part.stmts);
        vec_push(t->arena, out,
                 pass_assign(t->arena, j.flag, ir_bool(t->arena, false, loop->span)));
        loop->while_.cond = ir_binary(t->arena, IR_AND, loop->while_.cond,
                                      negation(t, j.flag, loop->span), loop->span);
    }
    if (yield)
        push_yield(t, &part.stmts, &part.values, yield->span);
    *body_of(loop) = part.stmts;
    vec_push(t->arena, out, loop);
}

static void transform_block(void *ctx, ir_block *block)
{
    struct transformer *t = ctx;
    ir_block out = {0};
    bool changed = false;
    for (size_t i = 0; i < block->len && !t->diag->failed; i++) {
        struct ir_stmt *s = rewrite_blocks(t->arena, block->items[i], transform_block, t);
        bool jumps = is_loop_with_jump(s);
        changed |= jumps || s != block->items[i];
        if (jumps)
            push_loop(t, &out, s);
        else
            vec_push(t->arena, &out, s);
    }
    if (changed)
        *block = out;
}

static struct ir_func *transform_func(void *ctx, struct ir_func *f)
{
    struct transformer *t = ctx;
    if (!pass_find_stmt(&f->body, pass_is_jump, NULL))
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
    struct transformer t = {
        .arena = a, .prog = p, .diag = d, .options = o, .names.arena = a, .lost.arena = a};
    return rewrite_funcs(a, p, PASS_CORE, transform_func, &t);
}
