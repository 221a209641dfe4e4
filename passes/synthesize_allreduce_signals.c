/* SPDX-License-Identifier: MIT */
#include "passes/synthesize_allreduce_signals.h"

#include <string.h>

#include "base/table.h"
#include "ir/ops.h"
#include "passes/refusals.h"
#include "passes/rewrite.h"

enum { SIGNAL_CELL_BYTES = 4 };

/* What the pass names; each is followed by the number K. */
enum made { MADE_WORLD_SIZE, MADE_BUFFER, MADE_SIGNAL, MADE_RESULT, MADE_COUNT };
static const char *const prefixes[] = {
    [MADE_WORLD_SIZE] = "__allreduce_signal_world_size_",
    [MADE_BUFFER] = "__allreduce_signal_buf_",
    [MADE_SIGNAL] = "__allreduce_signal_",
    [MADE_RESULT] = "__allreduce_result_",
};
ROW_EACH(prefixes, MADE_COUNT);

struct synthesis {
    struct arena *arena;
    const struct ir_program *prog;
    struct diag *diag;
    VEC(const char *) names; /* in use, of those that could clash */
    unsigned next;
    int loops;
};

/* ---- names in use ---- */

static void use_name(struct synthesis *s, const char *name)
{
    static const char common[] = "__allreduce_";
    if (name && strncmp(name, common, sizeof common - 1) == 0)
        vec_push(s->arena, &s->names, name);
}

static void use_vars(struct synthesis *s, const ir_vars *vars)
{
    vec_foreach (struct ir_var *, v, vars)
        use_name(s, (*v)->name);
}

static void use_window_name(struct synthesis *s, const struct ir_stmt *stmt)
{
    const struct ir_call *call = ir_leaf_call(stmt);
    const struct ir_expr *name = call ? ir_kwarg_find(&call->kwargs, "name") : NULL;
    if (name && name->kind == IR_STRING)
        use_name(s, name->string);
}

static enum walk use_stmt_names(const struct ir_stmt *stmt, void *ctx)
{
    struct synthesis *s = ctx;
    switch (stmt->kind) {
    case IR_ASSIGN:
        use_vars(s, &stmt->assign.targets);
        use_window_name(s, stmt);
        break;
    case IR_IF:
        use_vars(s, &stmt->if_.results);
        break;
    case IR_FOR:
        use_name(s, stmt->for_.var->name);
        use_vars(s, &stmt->for_.iter_args);
        use_vars(s, &stmt->for_.results);
        break;
    case IR_WHILE:
        use_vars(s, &stmt->while_.iter_args);
        use_vars(s, &stmt->while_.results);
        break;
    default:
        break;
    }
    return WALK_INTO;
}

static void use_all_names(struct synthesis *s)
{
    vec_foreach (struct ir_global, g, &s->prog->globals)
        use_name(s, g->var->name);
    vec_foreach (struct ir_func *, f, &s->prog->funcs) {
        vec_foreach (struct ir_param, p, &(*f)->params)
            use_name(s, p->var->name);
        pass_find_stmt(&(*f)->body, use_stmt_names, s);
    }
}

static bool in_use(const struct synthesis *s, const char *name)
{
    vec_foreach (const char *, used, &s->names)
        if (strcmp(*used, name) == 0)
            return true;
    return false;
}

static const char *made_name(const struct synthesis *s, enum made what, unsigned k)
{
    return arena_printf(s->arena, "%s%u", prefixes[what], k);
}

static unsigned next_number(struct synthesis *s)
{
    bool taken = true;
    while (taken) {
        taken = false;
        for (int what = 0; what < MADE_COUNT; what++)
            taken |= in_use(s, made_name(s, (enum made)what, s->next));
        s->next++;
    }
    return s->next - 1;
}

/* ---- calls ---- */

static bool is_allreduce(const struct ir_expr *e)
{
    return e->kind == IR_CALL && e->call.op &&
           strcmp(e->call.op->name, "pld.tensor.allreduce") == 0;
}

static bool is_implicit(const struct ir_expr *e)
{
    return is_allreduce(e) && e->call.args.len == 1;
}

/* Every allreduce of the statement is where the pass can see it, and may stand there. */
static bool check_stmt(const struct synthesis *s, const struct ir_stmt *stmt)
{
    const struct ir_expr *nested = pass_nested_call(stmt, is_allreduce);
    return !nested || REFUSE(s, ALLREDUCE_DIRECT, nested->span);
}

static bool check_implicit(const struct synthesis *s, const struct ir_expr *call)
{
    const struct ir_expr *mode = ir_kwarg_find(&call->call.kwargs, "mode");
    if (s->loops)
        return REFUSE(s, ALLREDUCE_LOOP, call->span);
    if (mode && mode->kind == IR_STRING && strcmp(mode->string, "ring") == 0)
        return REFUSE(s, ALLREDUCE_RING, call->span);
    return true;
}

/* ---- making a signal ---- */

static struct ir_expr *times(struct arena *a, struct ir_expr *lhs, int64_t factor, struct span at)
{
    struct ir_expr *e = ir_expr_new(a, IR_BINARY, at);
    e->binary.op = IR_MUL;
    e->binary.lhs = lhs;
    e->binary.rhs = ir_int(a, factor, IR_INT64, at);
    e->type = lhs->type;
    return e;
}

static struct ir_expr *op_call(struct arena *a, const char *op, struct ir_expr *first,
                               struct ir_expr *second, struct span at)
{
    ir_exprs args = {0};
    if (first)
        vec_push(a, &args, first);
    if (second)
        vec_push(a, &args, second);
    return ir_op_call(a, op, args, at);
}

static struct ir_var *bind(const struct synthesis *s, ir_block *out, enum made what, unsigned k,
                           struct ir_expr *value)
{
    struct ir_var *v = ir_var_new(s->arena, made_name(s, what, k), value->type, value->span);
    vec_push(s->arena, out, pass_assign(s->arena, v, value));
    return v;
}

/* A signal of one lane per core and rank: [world size, cores] counters. */
static struct ir_expr *make_window(struct arena *a, struct ir_var *buffer, struct ir_var *ranks,
                                   int64_t cores, struct span at)
{
    ir_exprs shape = {0};
    vec_push(a, &shape, ir_var_ref(a, ranks, at));
    vec_push(a, &shape, ir_int(a, cores, IR_INT64, at));
    struct ir_expr *dtype = ir_expr_new(a, IR_NAME, at);
    dtype->name = "pl.INT32";
    struct ir_expr *window =
        op_call(a, "pld.tensor.window", ir_var_ref(a, buffer, at), ir_tuple(a, shape, at), at);
    struct ir_kwarg keyword = {"dtype", dtype, at};
    vec_push(a, &window->call.kwargs, keyword);
    window->type = ir_type_new(a, IR_TYPE_DIST_TENSOR);
    window->type->dtype = IR_INT32;
    window->type->shape = shape;
    return window;
}

/* call with a signal of its own, which the statements pushed to out make. */
static struct ir_expr *with_signal(const struct synthesis *s, ir_block *out, struct ir_expr *call,
                                   unsigned k)
{
    struct arena *a = s->arena;
    struct span at = call->span;
    int64_t cores = ir_call_int(&call->call, "core_num");
    struct ir_var *ranks =
        bind(s, out, MADE_WORLD_SIZE, k, op_call(a, "pld.system.world_size", NULL, NULL, at));
    struct ir_expr *bytes =
        times(a, times(a, ir_var_ref(a, ranks, at), cores, at), SIGNAL_CELL_BYTES, at);
    struct ir_var *buffer =
        bind(s, out, MADE_BUFFER, k, op_call(a, "pld.tensor.alloc_window_buffer", bytes, NULL, at));
    struct ir_var *signal = bind(s, out, MADE_SIGNAL, k, make_window(a, buffer, ranks, cores, at));
    struct ir_expr *copy = arena_dup(a, call, sizeof *call);
    ir_exprs args = {0};
    vec_push(a, &args, call->call.args.items[0]);
    vec_push(a, &args, ir_var_ref(a, signal, at));
    copy->call.args = args;
    return copy;
}

/* ---- statements ---- */

/* The call, with a signal if it had none; NULL when it may not stand here. */
static struct ir_expr *explicit_call(struct synthesis *s, ir_block *out, struct ir_expr *call,
                                     unsigned k)
{
    if (!is_implicit(call))
        return call;
    return check_implicit(s, call) ? with_signal(s, out, call, k) : NULL;
}

/* What a return returns becomes an assignment before it. */
static struct ir_stmt *lift_returns(struct synthesis *s, ir_block *out, struct ir_stmt *stmt)
{
    ir_exprs values = {0};
    bool lifted = false;
    vec_foreach (struct ir_expr *, e, &stmt->return_.values) {
        struct ir_expr *value = *e;
        if (is_allreduce(value)) {
            unsigned k = next_number(s);
            struct ir_expr *call = explicit_call(s, out, value, k);
            if (!call)
                return NULL;
            struct ir_var *result = bind(s, out, MADE_RESULT, k, call);
            value = ir_var_ref(s->arena, result, value->span);
            lifted = true;
        }
        vec_push(s->arena, &values, value);
    }
    if (!lifted)
        return stmt;
    struct ir_stmt *copy = arena_dup(s->arena, stmt, sizeof *stmt);
    copy->return_.values = values;
    return copy;
}

static void synthesize_block(void *ctx, ir_block *block);

/* Pushes what comes before the statement to out; returns the statement, a copy, or NULL. */
static struct ir_stmt *synthesize_stmt(struct synthesis *s, ir_block *out, struct ir_stmt *stmt)
{
    if (!check_stmt(s, stmt))
        return NULL;
    if (stmt->kind == IR_RETURN)
        return lift_returns(s, out, stmt);
    if (stmt->kind == IR_ASSIGN || stmt->kind == IR_EVAL) {
        struct ir_stmt copy = *stmt;
        struct ir_expr **value = stmt->kind == IR_ASSIGN ? &copy.assign.value : &copy.eval;
        if (!is_implicit(*value))
            return stmt;
        *value = explicit_call(s, out, *value, next_number(s));
        return *value ? arena_dup(s->arena, &copy, sizeof copy) : NULL;
    }
    bool loop = stmt->kind == IR_FOR || stmt->kind == IR_WHILE;
    s->loops += loop;
    stmt = rewrite_blocks(s->arena, stmt, synthesize_block, s);
    s->loops -= loop;
    return stmt;
}

static void synthesize_block(void *ctx, ir_block *block)
{
    struct synthesis *s = ctx;
    ir_block out = {0};
    bool changed = false;
    for (size_t i = 0; i < block->len && !s->diag->failed; i++) {
        struct ir_stmt *stmt = synthesize_stmt(s, &out, block->items[i]);
        changed |= stmt != block->items[i];
        vec_push(s->arena, &out, stmt);
    }
    if (changed)
        *block = out;
}

static struct ir_func *synthesize_func(void *ctx, struct ir_func *f)
{
    struct synthesis *s = ctx;
    ir_block body = f->body;
    synthesize_block(s, &body);
    return s->diag->failed ? NULL : pass_with_body(s->arena, f, body);
}

struct ir_program *synthesize_allreduce_signals(struct arena *a, const struct ir_program *p,
                                                const struct pass_options *o, struct diag *d)
{
    struct synthesis s = {.arena = a, .prog = p, .diag = d};
    (void)o;
    use_all_names(&s);
    return rewrite_funcs(a, p, PASS_HOST, synthesize_func, &s);
}
