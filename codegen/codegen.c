/* SPDX-License-Identifier: MIT */
/* Layout of memory, parameters, functions and statements. */
#include "codegen/codegen.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "codegen/internal.h"
#include "codegen/host/host.h"
#include "passes/insert_comm_fence.h"
#include "passes/rewrite.h"

static const struct value none = {.kind = VAL_VOID};

bool gen_error(struct gen *g, struct span at, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    diag_verror(g->d, g->prog->source, at, fmt, ap);
    va_end(ap);
    return false;
}

/* ---- variables ---- */

struct var_slot *gen_slot(struct gen *g, const struct ir_var *v)
{
    struct var_slot *s = map_get(&g->slots, v);
    if (!s) {
        s = arena_new(g->arena, struct var_slot);
        g->slots.arena = g->arena;
        map_put(&g->slots, v, s);
    }
    return s;
}

static void count_targets(struct gen *g, const ir_vars *vars, int weight)
{
    vec_foreach (struct ir_var *, v, vars) {
        gen_slot(g, *v)->assignments += weight;
        gen_slot(g, *v)->joined |= weight > 1;
    }
}

/* A store without extents of its own, or a filling of the rest, of a tile whose type does not give
 * the extents either. */
static bool takes_part(const struct gen *g, const struct ir_call *call)
{
    if (!call || !call->op || call->op->args[0] != 't' || call->args.len == 0)
        return false;
    bool pure = call->op->effect == IR_EFFECT_PURE,
         given = ir_op_param(call->op, "shapes") >= 0 && call->args.len > 3;
    if (pure ? ir_valid_source(call->op) != IR_VALID_FILLED : given)
        return false;
    const struct ir_expr *tile = call->args.items[0];
    return !ir_valid_view(tile->type) &&
           ir_valid_of(&g->valid, g->prog, tile).kind != IR_VALID_WHOLE;
}

/* The variable that is the source of an assemble. */
static void mark_loaded(struct gen *g, const struct ir_call *call)
{
    const struct ir_expr *from =
        call && call->op && !strcmp(call->op->name, "tensor.assemble") && call->args.len > 1
            ? call->args.items[1]
            : NULL;
    if (from && from->kind == IR_VAR)
        gen_slot(g, from->var)->loaded = true;
}

static void count_assignments(struct gen *g, const ir_block *block)
{
    vec_foreach (struct ir_stmt *, at, block) {
        struct ir_stmt *s = *at;
        mark_loaded(g, ir_leaf_call(s));
        ir_block *children[PASS_MAX_BLOCKS];
        size_t n = pass_child_blocks(s, children);
        for (size_t i = 0; i < n; i++)
            count_assignments(g, children[i]);
        g->stores_parts |= takes_part(g, ir_leaf_call(s));
        if (s->kind == IR_ASSIGN)
            count_targets(g, &s->assign.targets, 1);
        /* What a loop carries and what branches yield changes at run time. */
        if (s->kind == IR_IF)
            count_targets(g, &s->if_.results, 2);
        if (s->kind == IR_FOR)
            count_targets(g, &s->for_.iter_args, 2);
        if (s->kind == IR_WHILE)
            count_targets(g, &s->while_.iter_args, 2);
    }
}

void gen_count(struct gen *g, const struct ir_func *f)
{
    vec_foreach (struct ir_param, p, &f->params)
        gen_slot(g, p->var)->assignments++;
    g->valid.arena = g->arena;
    ir_valid_collect(&g->valid, g->prog, f);
    g->space.arena = g->arena;
    ir_space_collect(&g->space, f);
    count_assignments(g, &f->body);
}

bool gen_changes(struct gen *g, const struct ir_var *v)
{
    return gen_slot(g, v)->assignments > 1;
}

bool gen_redefined(struct gen *g, const struct ir_var *v)
{
    const struct var_slot *s = gen_slot(g, v);
    return s->assignments > (s->joined ? 2 : 1);
}

void gen_bind(struct gen *g, const struct ir_var *v, struct value value)
{
    struct var_slot *s = gen_slot(g, v);
    s->value = value;
    s->bound = true;
}

/* The register of a scalar variable that changes at run time. */
static int scalar_home(struct gen *g, const struct ir_var *v, enum value_kind kind)
{
    struct var_slot *s = gen_slot(g, v);
    if (!s->bound || s->value.kind != kind || s->value.op.reg == NO_REG)
        gen_bind(g, v, (struct value){.kind = kind, .op = reg_operand(gen_reg(g, v->name))});
    return gen_slot(g, v)->value.op.reg;
}

static bool assign_scalar(struct gen *g, const struct ir_var *v, struct value value, struct span at)
{
    const struct var_slot *s = gen_slot(g, v);
    bool temporary = value.op.reg == NO_REG || !g->reg_names.items[value.op.reg];
    if (s->assignments <= 1 && temporary) {
        if (value.op.reg != NO_REG)
            g->reg_names.items[value.op.reg] = v->name;
        gen_bind(g, v, value);
        return true;
    }
    if (s->bound && s->value.kind != value.kind)
        return gen_error(g, at, "'%s' changes between integer and float", v->name);
    gen_move(g, scalar_home(g, v, value.kind), value.op);
    return true;
}

static void copy_tile(struct gen *g, int dst, int src)
{
    const struct tile *a = &g->tiles.items[dst], *b = &g->tiles.items[src];
    struct tile_valid valid = g->tile_valid.items[src];
    if (dst == src)
        return;
    bool one = a->offset == b->offset && tile_pitch(a) == tile_pitch(b);
    if (!one)
        gen_tile_op(g, TILE_COPY, GEN_COPY, gen_copy_pipe(g, dst), dst, &src, 1, imm_operand(0));
    gen_set_valid(g, dst, valid.rows, valid.cols);
}

struct value gen_own_tile(struct gen *g, struct value value)
{
    struct tile t = g->tiles.items[value.tile];
    int copy = gen_tile(g, t.name, t.rows, t.cols, t.elem, g->spaces.items[value.tile]);
    copy_tile(g, copy, value.tile);
    value.tile = copy;
    return value;
}

/* The value of e, for variable v: a tile that is only another name of a variable is copied when
 * either changes. */
static struct value gen_for_var(struct gen *g, const struct ir_expr *e, const struct ir_var *v)
{
    struct value value = gen_expr(g, e, v);
    if (g->d->failed || value.kind != VAL_TILE || e->kind != IR_VAR || e->var == v)
        return value;
    bool first = !gen_slot(g, v)->bound;
    bool changes = gen_changes(g, v) || gen_changes(g, e->var);
    return first && changes ? gen_own_tile(g, value) : value;
}

static bool same_shape(const struct gen *g, int x, int y)
{
    const struct tile *a = &g->tiles.items[x], *b = &g->tiles.items[y];
    return a->rows == b->rows && a->cols == b->cols && a->elem == b->elem;
}

/* Where several definitions of a variable may leave parts of different extents, they are kept at
 * run time. */
static void bind_tile(struct gen *g, const struct ir_var *v, struct value value)
{
    const struct ir_valid *valid = map_get(&g->valid, v);
    if (gen_slot(g, v)->assignments > 1 && valid && valid->kind != IR_VALID_WHOLE)
        gen_track_valid(g, value.tile);
    gen_bind(g, v, value);
}

static bool assign_tile(struct gen *g, const struct ir_var *v, struct value value, struct span at)
{
    const struct var_slot *s = gen_slot(g, v);
    if (!s->bound || s->assignments <= 1) {
        bind_tile(g, v, value);
        return true;
    }
    if (s->value.kind != VAL_TILE || !same_shape(g, s->value.tile, value.tile))
        return gen_error(g, at, "'%s' changes its shape or element type", v->name);
    copy_tile(g, s->value.tile, value.tile);
    return true;
}

static bool same_view(const struct tensor *x, const struct tensor *y)
{
    bool same = x->region == y->region && x->base.reg == y->base.reg &&
                x->base.imm == y->base.imm && x->ndims == y->ndims;
    for (int i = 0; same && i < x->ndims; i++)
        same = x->shape[i] == y->shape[i] && x->stride[i] == y->stride[i];
    return same;
}

static bool assign_tensor(struct gen *g, const struct ir_var *v, struct value value, struct span at)
{
    const struct var_slot *s = gen_slot(g, v);
    bool same =
        !s->bound || (s->value.kind == VAL_TENSOR && same_view(s->value.tensor, value.tensor));
    if (!same && s->assignments > 1)
        return gen_error(g, at,
                         "'%s' stands for different tensors or views: give each a name of its own",
                         v->name);
    gen_bind(g, v, value);
    return true;
}

static bool assign(struct gen *g, const struct ir_var *v, struct value value, struct span at)
{
    if (g->d->failed)
        return false;
    switch (value.kind) {
    case VAL_INT:
    case VAL_FLOAT:
        return assign_scalar(g, v, value, at);
    case VAL_TILE:
        return assign_tile(g, v, value, at);
    case VAL_TENSOR:
        return assign_tensor(g, v, value, at);
    default:
        gen_bind(g, v, value);
        return true;
    }
}

/* Assigns several values at once: later ones may name variables that earlier ones change. */
static bool assign_all(struct gen *g, const ir_vars *vars, const ir_exprs *values, struct span at)
{
    if (vars->len != values->len)
        return gen_error(g, at, "expected %zu values, not %zu", vars->len, values->len);
    struct value list[vars->len + 1];
    for (size_t i = 0; i < vars->len; i++) {
        list[i] = gen_for_var(g, values->items[i], vars->items[i]);
        if (g->d->failed)
            return false;
        bool several = vars->len > 1;
        if (several && list[i].kind == VAL_TILE) {
            list[i] = gen_own_tile(g, list[i]);
        } else if (several && (list[i].kind == VAL_INT || list[i].kind == VAL_FLOAT) &&
                   list[i].op.reg != NO_REG) {
            int copy = gen_reg(g, NULL);
            gen_move(g, copy, list[i].op);
            list[i].op = reg_operand(copy);
        }
    }
    for (size_t i = 0; i < vars->len; i++)
        if (!assign(g, vars->items[i], list[i], at))
            return false;
    return true;
}

/* ---- statements ---- */

static bool gen_block(struct gen *g, const ir_block *block);

static bool gen_assign(struct gen *g, const struct ir_stmt *s)
{
    const ir_vars *targets = &s->assign.targets;
    const struct ir_expr *value = s->assign.value;
    if (targets->len == 1)
        return assign(g, targets->items[0], gen_for_var(g, value, targets->items[0]), s->span);
    if (value->kind == IR_CALL && targets->len == 2) {
        struct value pair = gen_expr(g, value, NULL);
        if (!g->d->failed && pair.kind == VAL_PAIR)
            return assign(g, targets->items[0], gen_pair_item(pair, 0), s->span) &&
                   assign(g, targets->items[1], gen_pair_item(pair, 1), s->span);
    }
    if (value->kind != IR_TUPLE)
        return gen_error(g, s->span, "a core cannot take this value apart");
    return assign_all(g, targets, &value->items, s->span);
}

static void add_flow(struct gen *g, struct flow_code f)
{
    vec_push(g->arena, &g->flows, f);
}

static bool gen_if(struct gen *g, const struct ir_stmt *s)
{
    struct operand cond;
    if (!gen_int(g, s->if_.cond, &cond))
        return false;
    const ir_vars *outer = g->yield_to;
    g->yield_to = s->if_.results.len ? &s->if_.results : outer;
    int skip = gen_branch(g, I_BZ, gen_in_reg(g, cond)), middle = -1;
    bool ok = gen_block(g, &s->if_.then_body);
    if (ok && s->if_.has_else) {
        int end = gen_branch(g, I_JMP, NO_REG);
        gen_patch_here(g, skip);
        middle = gen_here(g);
        ok = gen_block(g, &s->if_.else_body);
        gen_patch_here(g, end);
    } else {
        gen_patch_here(g, skip);
    }
    int end = gen_here(g);
    add_flow(g, (struct flow_code){skip, middle < 0 ? end : middle, end, false});
    g->yield_to = outer;
    return ok;
}

static bool gen_body(struct gen *g, const ir_block *body, struct loop *loop, const ir_vars *carried)
{
    const ir_vars *outer = g->yield_to;
    loop->outer = g->loop;
    loop->carried = carried;
    g->loop = loop;
    g->yield_to = carried->len ? carried : NULL;
    bool ok = gen_block(g, body);
    g->yield_to = outer;
    g->loop = loop->outer;
    gen_patch_all(g, &loop->continues);
    return ok;
}

/* top: the test; exit: the branch that leaves when it fails. */
static void gen_loop_end(struct gen *g, const struct loop *loop, int top, int exit)
{
    gen_branch_to(g, I_JMP, NO_REG, top);
    gen_patch_here(g, exit);
    gen_patch_all(g, &loop->breaks);
    add_flow(g, (struct flow_code){top, exit + 1, gen_here(g), true});
}

/* After a loop its results are what it carried. */
static bool bind_results(struct gen *g, const ir_vars *results, const ir_vars *carried,
                         struct span at)
{
    if (results->len && results->len != carried->len)
        return gen_error(g, at, "the loop carries %zu values and yields %zu", carried->len,
                         results->len);
    for (size_t i = 0; i < results->len; i++)
        gen_bind(g, results->items[i], gen_slot(g, carried->items[i])->value);
    return true;
}

/* Loops of library code mean nothing to a reader of the kernel. */
static void enter_loop(struct gen *g, const struct ir_stmt *s, int var)
{
    if (g->library)
        return;
    struct counted_loop l = {
        .name = s->for_.var->name, .reg = var, .line = s->span.line, .outer = g->in_loop};
    vec_push(g->arena, &g->loops, l);
    g->in_loop = (int)g->loops.len;
}

static bool gen_for(struct gen *g, const struct ir_stmt *s)
{
    struct operand start, stop, step;
    if (!gen_int(g, s->for_.start, &start) || !gen_int(g, s->for_.stop, &stop) ||
        !gen_int(g, s->for_.step, &step))
        return false;
    if (step.reg != NO_REG || step.imm == 0)
        return gen_error(g, s->for_.step->span,
                         "the step of a loop must be a constant other than 0");
    if (!assign_all(g, &s->for_.iter_args, &s->for_.inits, s->span))
        return false;
    /* The bounds are read once: a later change of a variable in them must not matter. */
    if (stop.reg != NO_REG) {
        int fixed = gen_reg(g, NULL);
        gen_move(g, fixed, stop);
        stop = reg_operand(fixed);
    }
    int var = gen_reg(g, s->for_.var->name);
    gen_move(g, var, start);
    gen_bind(g, s->for_.var, (struct value){.kind = VAL_INT, .op = reg_operand(var)});
    struct loop loop = {0};
    int top = gen_here(g);
    struct operand more = gen_alu(g, step.imm > 0 ? ALU_LT : ALU_GT, reg_operand(var), stop);
    int exit = gen_branch(g, I_BZ, more.reg);
    int outer = g->in_loop;
    enter_loop(g, s, var);
    bool ok = gen_body(g, &s->for_.body, &loop, &s->for_.iter_args);
    g->in_loop = outer;
    gen_step(g, var, step.imm);
    gen_loop_end(g, &loop, top, exit);
    return ok && bind_results(g, &s->for_.results, &s->for_.iter_args, s->span);
}

static bool gen_while(struct gen *g, const struct ir_stmt *s)
{
    struct operand cond;
    struct loop loop = {0};
    if (!assign_all(g, &s->while_.iter_args, &s->while_.inits, s->span))
        return false;
    int top = gen_here(g);
    if (!gen_int(g, s->while_.cond, &cond))
        return false;
    int exit = gen_branch(g, I_BZ, gen_in_reg(g, cond));
    bool ok = gen_body(g, &s->while_.body, &loop, &s->while_.iter_args);
    gen_loop_end(g, &loop, top, exit);
    return ok && bind_results(g, &s->while_.results, &s->while_.iter_args, s->span);
}

static bool gen_return(struct gen *g, const struct ir_stmt *s)
{
    vec_foreach (struct ir_expr *, v, &s->return_.values) {
        if (g->inline_depth && g->returned.kind != VAL_VOID)
            return gen_error(g, s->span, "a called function returns one value, at one place");
        g->returned = gen_expr(g, *v, NULL);
        if (g->d->failed)
            return false;
    }
    int jump = gen_branch(g, I_JMP, NO_REG);
    vec_push(g->arena, &g->returns.at, jump);
    return true;
}

static bool gen_leave(struct gen *g, const struct ir_stmt *s)
{
    if (!g->loop)
        return gen_error(g, s->span, "outside of a loop");
    int jump = gen_branch(g, I_JMP, NO_REG);
    if (s->kind == IR_BREAK)
        vec_push(g->arena, &g->loop->breaks.at, jump);
    else
        vec_push(g->arena, &g->loop->continues.at, jump);
    return true;
}

static bool gen_stmt(struct gen *g, const struct ir_stmt *s)
{
    switch (s->kind) {
    case IR_ASSIGN:
        return gen_assign(g, s);
    case IR_EVAL:
        gen_expr(g, s->eval, NULL);
        return !g->d->failed;
    case IR_IF:
        return gen_if(g, s);
    case IR_FOR:
        return gen_for(g, s);
    case IR_WHILE:
        return gen_while(g, s);
    case IR_YIELD:
        if (!g->yield_to)
            return gen_error(g, s->span, "nothing takes the values yielded here");
        return assign_all(g, g->yield_to, &s->yield.values, s->span);
    case IR_RETURN:
        return gen_return(g, s);
    case IR_BREAK:
    case IR_CONTINUE:
        return gen_leave(g, s);
    default:
        return lanes_check_scope(g, s) && gen_block(g, &s->scope.body);
    }
}

/* Which rule of the pass stands behind a marker statement; ORIGIN_USER for other statements. */
static enum origin_kind stmt_origin(const struct gen *g, const ir_block *block, size_t i)
{
    static const enum origin_kind origins[COMM_FENCE_RULE_COUNT] = {
        [COMM_FENCE_NONE] = ORIGIN_HAND, [COMM_FENCE_W1] = ORIGIN_W1,
        [COMM_FENCE_W1_DMA] = ORIGIN_W1, [COMM_FENCE_W2] = ORIGIN_W2,
        [COMM_FENCE_W3] = ORIGIN_W3,     [COMM_FENCE_R1] = ORIGIN_R1,
    };
    const struct ir_call *leaf = ir_leaf_call(block->items[i]);
    if (!leaf || leaf->callee != IR_CALLEE_OP || leaf->op->effect != IR_EFFECT_MARKER)
        return ORIGIN_USER;
    return origins[comm_fence_rule_of(block, i, g->opt->rules)];
}

static bool gen_block(struct gen *g, const ir_block *block)
{
    for (size_t i = 0; i < block->len; i++) {
        const struct ir_stmt *s = block->items[i];
        enum origin_kind outer = g->origin;
        g->origin = stmt_origin(g, block, i);
        g->span = s->span;
        bool ok = gen_stmt(g, s);
        const struct ir_call *leaf = ir_leaf_call(s);
        if (g->origin == ORIGIN_USER)
            g->anchor = leaf                                       ? leaf->name
                        : s->kind == IR_FOR || s->kind == IR_WHILE ? "loop"
                                                                   : g->anchor;
        g->origin = outer;
        if (!ok)
            return false;
    }
    return true;
}

/* ---- functions ---- */

/* returned: the value of its return statement; the void value without one. */
static bool gen_function_body(struct gen *g, const struct ir_func *f, struct value *returned)
{
    struct value outer_returned = g->returned;
    const struct ir_func *outer = g->func;
    struct patch_list returns = g->returns;
    struct loop *loop = g->loop;
    const ir_vars *yield_to = g->yield_to;
    g->func = f;
    g->returns = (struct patch_list){0};
    g->loop = NULL;
    g->yield_to = NULL;
    g->returned = none;
    bool ok = gen_block(g, &f->body);
    gen_patch_all(g, &g->returns);
    *returned = g->returned;
    g->returned = outer_returned;
    g->func = outer;
    g->returns = returns;
    g->loop = loop;
    g->yield_to = yield_to;
    return ok;
}

static void forget_vars(struct gen *g, const ir_vars *vars)
{
    vec_foreach (struct ir_var *, v, vars)
        gen_slot(g, *v)->bound = false;
}

static void forget_block(struct gen *g, const ir_block *block)
{
    vec_foreach (struct ir_stmt *, at, block) {
        struct ir_stmt *s = *at;
        ir_block *children[PASS_MAX_BLOCKS];
        size_t n = pass_child_blocks(s, children);
        for (size_t i = 0; i < n; i++)
            forget_block(g, children[i]);
        if (s->kind == IR_ASSIGN)
            forget_vars(g, &s->assign.targets);
        if (s->kind == IR_IF)
            forget_vars(g, &s->if_.results);
        if (s->kind == IR_FOR)
            forget_vars(g, &s->for_.iter_args);
        if (s->kind == IR_WHILE)
            forget_vars(g, &s->while_.iter_args);
    }
}

/* A parameter that its function changes gets a register or tile of its own: the caller's stays as
 * it is. */
static void bind_argument(struct gen *g, const struct ir_var *v, struct value value, struct span at)
{
    gen_slot(g, v)->bound = false;
    bool scalar = value.kind == VAL_INT || value.kind == VAL_FLOAT;
    if (value.kind == VAL_TILE && gen_slot(g, v)->assignments > 1)
        bind_tile(g, v, gen_own_tile(g, value));
    else if (scalar && gen_slot(g, v)->assignments > 1)
        assign(g, v, value, at);
    else
        gen_bind(g, v, value);
}

struct value gen_inline_call(struct gen *g, const struct ir_call *call, struct span at)
{
    const struct ir_func *f = ir_find_func(g->prog, call->name);
    if (!f || !ir_func_is_incore(f)) {
        gen_error(g, at, "'%s' is no InCore function of this program", call->name);
        return none;
    }
    if (++g->inline_depth > MAX_INLINE) {
        gen_error(g, at, "calls are nested more than %d deep", MAX_INLINE);
        return none;
    }
    if (call->args.len != f->params.len) {
        gen_error(g, at, "'%s' takes %zu arguments, not %zu", f->name, f->params.len,
                  call->args.len);
        return none;
    }
    struct value values[f->params.len + 1];
    for (size_t i = 0; i < f->params.len; i++) {
        values[i] = gen_expr(g, call->args.items[i], NULL);
        if (g->d->failed)
            return none;
    }
    /* Each call has variables of its own. */
    forget_block(g, &f->body);
    for (size_t i = 0; i < f->params.len; i++)
        bind_argument(g, f->params.items[i].var, values[i], at);
    struct value returned = none;
    gen_function_body(g, f, &returned);
    g->inline_depth--;
    return g->d->failed ? none : returned;
}

void gen_forget(struct gen *g, const struct ir_func *f)
{
    forget_block(g, &f->body);
}

static void gen_entry(struct gen *g, const struct ir_func *f)
{
    g->origin = ORIGIN_ENTRY;
    g->span = f->span;
    g->what = g->library ? g->library : f->name;
    struct insn task = gen_insn(g, I_TASK);
    task.imm = (int64_t)g->tasks.len;
    vec_push(g->arena, &g->tasks, g->what);
    gen_emit(g, task);
    if (g->opt->toolchain->kernel_entry == ENTRY_DCCI_ALL) {
        gen_site_begin(g, "kernel entry: cacheinvalid all", -1);
        gen_simple(g, I_DCCI_ALL);
        gen_site_end(g);
    }
    g->origin = ORIGIN_USER;
}

static bool stores_by_scalar(const struct gen *g, int first)
{
    for (size_t i = (size_t)first; i < g->code.len; i++)
        if (g->code.items[i].op == I_ST && g->code.items[i].origin == ORIGIN_USER)
            return true;
    return false;
}

/*
 * What of the tail is due (pypto-ops-facts 5.2). As the assembler makes it: all of it behind scalar
 * stores; else the barrier, where its synchronisation pass ran. first: where the kernel's code
 * starts.
 */
static int tail_of(struct gen *g, int first)
{
    const struct toolchain *t = g->opt->toolchain;
    if (t->tail_cleans == TAIL_CLEANS_ALWAYS || stores_by_scalar(g, first))
        return t->kernel_tail;
    if (t->auto_sync && auto_sync_leaves_alone(g, first))
        return TAIL_NONE;
    return t->kernel_tail > TAIL_BARRIER ? TAIL_BARRIER : t->kernel_tail;
}

static void gen_tail(struct gen *g, const struct ir_func *f, int first)
{
    int kind = tail_of(g, first), marker = -1;
    g->origin = ORIGIN_TAIL;
    g->span = f->span;
    g->what = f->name;
    g->anchor = "end of kernel";
    g->func = f;
    if (kind >= TAIL_BARRIER) {
        marker = gen_site_begin(g, "kernel tail: barrier all", -1);
        gen_barrier(g, PIPE_ALL);
    }
    if (kind >= TAIL_BARRIER_DCCI) {
        gen_site_begin(g, "kernel tail: cacheinvalid all", marker);
        gen_simple(g, I_DCCI_ALL);
    }
    if (kind >= TAIL_BARRIER_DCCI_DSB) {
        gen_site_begin(g, "kernel tail: dsb", marker);
        gen_simple(g, I_DSB);
    }
    if (g->opt->toolchain->runtime_fin == FIN_DSB) {
        gen_site_begin(g, "runtime: dsb before the end is reported", -1);
        gen_simple(g, I_DSB);
    }
    gen_site_end(g);
    g->func = NULL;
    g->origin = ORIGIN_USER;
}

bool gen_task(struct gen *g, const struct ir_func *f)
{
    struct value unused;
    int first = gen_here(g);
    gen_entry(g, f);
    if (!lanes_check_function(g, f) || !gen_function_body(g, f, &unused) ||
        !lanes_check_code(g, f, first))
        return false;
    gen_tail(g, f, first);
    return true;
}

/* ---- which functions are tasks ---- */

static bool choose_tasks(struct gen *g, task_list *out)
{
    vec_foreach (const struct directive_name, task, &g->dir->tasks) {
        const struct ir_func *f = ir_find_func(g->prog, task->name);
        if (!f || !ir_func_is_incore(f))
            return diag_error(
                g->d, g->prog->source, task->span,
                "the directive 'tasks' names '%s', which is no InCore function of this file",
                task->name);
        vec_push(g->arena, out, f);
    }
    vec_foreach (struct ir_func *, f, &g->prog->funcs)
        if (!g->dir->tasks.len && ir_func_is_incore(*f) &&
            !pass_is_called(g->prog, *f, ir_func_is_incore))
            vec_push(g->arena, out, *f);
    if (!out->len)
        return diag_error(
            g->d, g->prog->source, (struct span){0},
            "holds no InCore function (type=pl.FunctionType.InCore, AIC or AIV) to run");
    return lanes_check_tasks(g, out);
}

/* ---- parameters ---- */

const struct binding *codegen_binding(const struct directives *dir, const struct codegen_options *o,
                                      const char *name)
{
    for (size_t i = o->nargs; i-- > 0;)
        if (!strcmp(o->args[i].name, name))
            return &o->args[i];
    for (size_t i = dir->args.len; i-- > 0;)
        if (!strcmp(dir->args.items[i].name, name))
            return &dir->args.items[i];
    return NULL;
}

static const struct binding *find_binding(const struct gen *g, const char *name)
{
    return codegen_binding(g->dir, g->opt, name);
}

static bool bind_constant(struct gen *g, const struct ir_var *v, const struct binding *b)
{
    int64_t value = 0;
    for (int r = 0; r < g->opt->nranks; r++) {
        int64_t here = 0;
        if (!binding_eval(g->arena, b, r, g->opt->nranks, &here, g->d))
            return false;
        if (r > 0 && here != value)
            return diag_error(
                g->d, b->source, (struct span){b->line, b->col, (int)strlen(b->expr)},
                "'%s' is a constant of the program: it must be the same on every rank", v->name);
        value = here;
    }
    gen_bind(g, v, (struct value){.kind = VAL_INT, .op = imm_operand(value)});
    return true;
}

bool codegen_means_nranks(const char *name)
{
    return !strcmp(name, "NR") || !strcmp(name, "nranks") || !strcmp(name, "NRANKS");
}

bool gen_globals(struct gen *g)
{
    vec_foreach (struct ir_global, c, &g->prog->globals) {
        const struct binding *b = find_binding(g, c->var->name);
        if (b) {
            if (!bind_constant(g, c->var, b))
                return false;
        } else if (c->value) {
            struct value v = gen_expr(g, c->value, NULL);
            if (g->d->failed)
                return false;
            gen_bind(g, c->var, v);
        } else if (codegen_means_nranks(c->var->name)) {
            gen_bind(g, c->var, (struct value){.kind = VAL_INT, .op = imm_operand(g->opt->nranks)});
        }
    }
    vec_foreach (struct ir_var *, v, &g->prog->implicit_symbols) {
        const struct binding *b = find_binding(g, (*v)->name);
        if (b && !bind_constant(g, *v, b))
            return false;
        if (!b && codegen_means_nranks((*v)->name))
            gen_bind(g, *v, (struct value){.kind = VAL_INT, .op = imm_operand(g->opt->nranks)});
    }
    return true;
}

struct param {
    const struct ir_param *p;
    const struct ir_func *func;
    int region; /* tensors */
};
typedef VEC(struct param) param_list;

static int find_region(const struct gen *g, const char *name)
{
    for (size_t i = 0; i < g->regions.len; i++)
        if (!strcmp(g->regions.items[i].name, name))
            return (int)i;
    return -1;
}

bool gen_layout_strides(const struct ir_expr *layout, struct tensor *t)
{
    const char *name = layout && layout->kind == IR_NAME ? layout->name : "pl.TensorLayout.ND";
    bool columns = !strcmp(name, "pl.TensorLayout.DN") && t->ndims > 1;
    int64_t dense = 1;
    for (int k = 0; k < t->ndims; k++) {
        /* from the innermost on; with columns, the last two change places */
        int i = t->ndims - 1 - k;
        i = columns && k < 2 ? t->ndims - 2 + k : i;
        t->stride[i] = dense;
        dense *= t->shape[i];
    }
    return columns || !strcmp(name, "pl.TensorLayout.ND");
}

bool gen_layout(struct gen *g, const struct ir_type *type, struct span at, struct tensor *t)
{
    const struct ir_expr *layout = NULL, *stride = NULL;
    vec_foreach (struct ir_expr *, e, &type->annots) {
        if ((*e)->kind == IR_CALL && !strcmp((*e)->call.name, "TensorView")) {
            layout = ir_kwarg_find(&(*e)->call.kwargs, "layout");
            stride = ir_kwarg_find(&(*e)->call.kwargs, "stride");
        } else if ((*e)->kind == IR_NAME && strstr((*e)->name, "Layout.")) {
            layout = *e;
        }
    }
    bool rows = !layout || (layout->kind == IR_NAME && strstr(layout->name, "Layout.ND"));
    if (!rows && !gen_layout_strides(layout, t))
        return gen_error(g, at, "code generation has no tensors of layout %s", layout->name);
    if (!stride || stride->items.len == 0)
        return true;
    if (stride->items.len != (size_t)t->ndims)
        return gen_error(g, at, "expected %d strides, not %zu", t->ndims, stride->items.len);
    for (int i = 0; i < t->ndims; i++)
        if (!gen_const(g, stride->items.items[i], "the stride of a tensor", &t->stride[i]))
            return false;
    return true;
}

static bool tensor_of_type(struct gen *g, const struct ir_var *v, struct tensor *out)
{
    const struct ir_type *t = v->type;
    *out = (struct tensor){.ctx = NO_REG, .ndims = (int)t->shape.len};
    if (t->shape.len == 0 || t->shape.len > MAX_DIMS)
        return gen_error(g, v->span, "a tensor parameter has 1 to %d dimensions", MAX_DIMS);
    if (!gen_elem(g, t->dtype, v->span, &out->elem))
        return false;
    int64_t dense = 1;
    for (int i = out->ndims - 1; i >= 0; i--) {
        if (!gen_const(g, t->shape.items[i], "the extent of a tensor", &out->shape[i]))
            return false;
        if (out->shape[i] < 1)
            return gen_error(g, v->span, "the extents of '%s' must be positive", v->name);
        if ((dense > MAX_MEMORY / out->shape[i] / elem_size(out->elem)))
            return gen_error(g, v->span, "'%s' does not fit the machine's memory", v->name);
        dense *= out->shape[i];
    }
    gen_layout_strides(NULL, out);
    if (!gen_layout(g, t, v->span, out))
        return false;
    for (int i = 0; i < out->ndims; i++)
        if (out->stride[i] < 0 || out->stride[i] > MAX_MEMORY / out->shape[i])
            return gen_error(g, v->span, "'%s' does not fit the machine's memory", v->name);
    return true;
}

static int64_t tensor_bytes(const struct tensor *t)
{
    int64_t last = 0;
    for (int i = 0; i < t->ndims; i++)
        last += (t->shape[i] - 1) * t->stride[i];
    return (last + 1) * elem_size(t->elem);
}

/* One region per tensor name; functions that use the same name share it. */
static bool add_region(struct gen *g, struct param *p, bool window, param_list *all)
{
    const struct ir_var *v = p->p->var;
    struct tensor t;
    if (!tensor_of_type(g, v, &t))
        return false;
    int found = find_region(g, v->name);
    enum ir_direction dir = p->p->direction;
    if (found >= 0) {
        struct region *r = &g->regions.items[found];
        if (r->size != (uint64_t)tensor_bytes(&t) || r->elem != t.elem ||
            (r->kind == REGION_WINDOW) != window)
            return gen_error(g, v->span, "'%s' has another type in another function of this file",
                             v->name);
        r->output |= dir != IR_IN;
        p->region = found;
        return true;
    }
    struct region r = {.name = v->name,
                       .kind = window ? REGION_WINDOW : REGION_LOCAL,
                       .size = (uint64_t)tensor_bytes(&t),
                       .ndims = t.ndims,
                       .shape = arena_dup(g->arena, t.shape, sizeof t.shape),
                       .elem = t.elem,
                       .uninitialised = !window && dir == IR_OUT,
                       .output = window || dir != IR_IN};
    p->region = (int)g->regions.len;
    (void)all;
    vec_push(g->arena, &g->regions, r);
    return true;
}

static bool collect_params(struct gen *g, const task_list *tasks, param_list *out)
{
    for (size_t i = 0; i < tasks->len; i++)
        vec_foreach (struct ir_param, p, &tasks->items[i]->params)
            vec_push(g->arena, out, (struct param){p, tasks->items[i], -1});
    /* Windows first, their contexts right behind them, then local tensors. */
    for (int pass = 0; pass < 2; pass++) {
        vec_foreach (struct param, p, out) {
            const struct ir_type *t = p->p->var->type;
            enum ir_type_kind kind = t ? t->kind : IR_TYPE_UNKNOWN;
            bool window = kind == IR_TYPE_DIST_TENSOR;
            if (ir_type_is_tensor_like(t) && window == (pass == 0) &&
                !add_region(g, p, window, out))
                return false;
        }
        size_t windows = g->regions.len;
        for (size_t w = 0; pass == 0 && w < windows; w++) {
            struct region ctx = {.name = arena_printf(g->arena, "%s_ctx", g->regions.items[w].name),
                                 .kind = REGION_CTX,
                                 .size = CTX_WINDOWS + 8 * (uint64_t)g->opt->nranks,
                                 .elem = ELEM_I64};
            vec_push(g->arena, &g->regions, ctx);
        }
    }
    return true;
}

/* The array of window bases of each context, for checked accesses by peer number; behind all other
 * regions. */
static void add_peer_arrays(struct gen *g)
{
    size_t n = g->regions.len;
    for (size_t i = 0; i < n; i++) {
        const struct region *ctx = &g->regions.items[i];
        if (ctx->kind != REGION_CTX)
            continue;
        struct region array = {.name = arena_printf(g->arena, "%s.windows", ctx->name),
                               .kind = REGION_CTX,
                               .offset = ctx->offset + CTX_WINDOWS,
                               .size = 8 * (uint64_t)g->opt->nranks,
                               .elem = ELEM_I64};
        vec_push(g->arena, &g->regions, array);
    }
}

static uint64_t align_up(uint64_t n, uint64_t a)
{
    return (n + a - 1) / a * a;
}

static bool lay_out(struct gen *g, uint64_t *bytes)
{
    uint64_t at = 0, window = g->opt->window_align ? (uint64_t)g->opt->window_align : CACHE_LINE;
    vec_foreach (struct region, r, &g->regions) {
        at = align_up(at, r->kind == REGION_WINDOW ? window : CACHE_LINE);
        r->offset = at;
        at += r->size;
    }
    add_peer_arrays(g);
    *bytes = align_up(at, 256) + 256;
    if (*bytes * (uint64_t)g->opt->nranks > MAX_MEMORY)
        return diag_error(g->d, g->prog->source, (struct span){0},
                          "needs %" PRIu64
                          " bytes of memory on each of %d ranks; the machine holds %d in all",
                          *bytes, g->opt->nranks, MAX_MEMORY);
    return true;
}

/* ---- arguments: pointers and scalars in the first registers ---- */

struct args {
    VEC(int64_t) * by_rank;
    int nranks;
};

static int add_argument(struct gen *g, const char *name)
{
    g->nargs++;
    return gen_reg(g, name);
}

static int window_count(const struct gen *g)
{
    int n = 0;
    vec_foreach (const struct region, r, &g->regions)
        n += r->kind == REGION_WINDOW;
    return n;
}

static void bind_tensor(struct gen *g, const struct ir_var *v, int region, int pointer, int ctx)
{
    struct tensor *t = arena_new(g->arena, struct tensor);
    tensor_of_type(g, v, t);
    t->region = region;
    t->root = pointer;
    t->base = reg_operand(pointer);
    t->ctx = ctx;
    t->peers = (int)g->regions.len - window_count(g) + region;
    gen_bind(g, v, (struct value){.kind = VAL_TENSOR, .tensor = t});
}

static bool bind_scalar_param(struct gen *g, const struct ir_var *v, int reg, int64_t **values)
{
    const struct binding *b = find_binding(g, v->name);
    bool is_float = v->type && ir_dtype_is_float(v->type->dtype);
    if (!b && !codegen_means_nranks(v->name) && strcmp(v->name, "rank"))
        return gen_error(g, v->span,
                         "no value for the parameter '%s'; give --arg %s=EXPRESSION or a line '# "
                         "fencebench: arg %s=EXPRESSION'",
                         v->name, v->name, v->name);
    for (int r = 0; r < g->opt->nranks; r++) {
        int64_t x = strcmp(v->name, "rank") ? g->opt->nranks : r;
        if (b && !binding_eval(g->arena, b, r, g->opt->nranks, &x, g->d))
            return false;
        values[r][reg] = is_float ? alu_eval(ALU_CVT, x, 0, ELEM_I64, ELEM_F32) : x;
    }
    gen_bind(g, v, (struct value){.kind = is_float ? VAL_FLOAT : VAL_INT, .op = reg_operand(reg)});
    return true;
}

/* Does a context of this name, "win_ctx" or "win_ctx_1", belong to the window "win", or to the
 * variable that the printed form renamed: "win__ssa_v0"? */
static bool names_window(const char *ctx, const char *window)
{
    const char *tail = strstr(ctx, "_ctx");
    for (const char *next = tail; next; next = strstr(next + 1, "_ctx"))
        tail = next;
    const char *rest = tail ? tail + 4 : "", *suffix = strstr(window, "__");
    bool numbered = *rest == '_' && rest[1] && strspn(rest + 1, "0123456789") == strlen(rest + 1);
    if (!tail || (*rest && !numbered))
        return false;
    size_t base = (size_t)(tail - ctx);
    size_t stem = suffix ? (size_t)(suffix - window) : strlen(window);
    return (base == strlen(window) || base == stem) && !strncmp(window, ctx, base);
}

static bool is_kind(const struct param *p, const struct ir_func *f, enum ir_type_kind kind)
{
    const struct ir_type *t = p->p->var->type;
    return p->func == f && t && t->kind == kind;
}

/* The region of a context parameter's window. When several windows have the name, the contexts
 * stand in the order of the windows (pypto-facts 1.6). */
static int ctx_of_param(const param_list *params, const struct param *ctx)
{
    int found = -1, at_place = -1;
    size_t place = 0, windows = 0, matches = 0;
    for (const struct param *p = params->items; p < ctx; p++)
        place += is_kind(p, ctx->func, IR_TYPE_COMM_CTX);
    vec_foreach (struct param, p, params) {
        if (!is_kind(p, ctx->func, IR_TYPE_DIST_TENSOR))
            continue;
        if (names_window(ctx->p->var->name, p->p->var->name)) {
            found = p->region;
            at_place = windows == place ? p->region : at_place;
            matches++;
        }
        windows++;
    }
    return matches > 1 && at_place >= 0 ? at_place : found;
}

static bool bind_params(struct gen *g, const param_list *params, int64_t **values)
{
    /* the peer arrays at the end need no pointer */
    size_t n = g->regions.len - (size_t)window_count(g);
    int pointer[n + 1];
    for (size_t i = 0; i < n; i++) {
        pointer[i] = add_argument(g, g->regions.items[i].name);
        for (int r = 0; r < g->opt->nranks; r++)
            values[r][pointer[i]] = (int64_t)gm_addr(r, g->regions.items[i].offset);
    }
    int windows = window_count(g);
    vec_foreach (struct param, p, params) {
        const struct ir_var *v = p->p->var;
        enum ir_type_kind kind = v->type ? v->type->kind : IR_TYPE_UNKNOWN;
        if (p->region >= 0) {
            int ctx = p->region < windows ? pointer[windows + p->region] : NO_REG;
            bind_tensor(g, v, p->region, pointer[p->region], ctx);
        } else if (kind == IR_TYPE_COMM_CTX) {
            int w = ctx_of_param(params, p);
            if (w < 0)
                return gen_error(g, v->span,
                                 "no window belongs to the context '%s': expected <tensor>_ctx",
                                 v->name);
            gen_bind(g, v,
                     (struct value){.kind = VAL_CTX, .op = reg_operand(pointer[windows + w])});
        } else if (kind == IR_TYPE_SCALAR) {
            if (!bind_scalar_param(g, v, add_argument(g, v->name), values))
                return false;
        } else {
            return gen_error(g, v->span, "the parameter '%s' is no tensor, scalar or context",
                             v->name);
        }
    }
    return true;
}

/* ---- initial memory ---- */

int64_t gen_pattern(enum elem e, uint64_t i, int rank)
{
    return alu_eval(ALU_CVT, (int64_t)((5 * i + 3 * (uint64_t)rank) % 7 + 1), 0, ELEM_I64, e);
}

static void fill_region(const struct gen *g, const struct region *r, bool input, uint8_t *memory,
                        int rank)
{
    int size = elem_size(r->elem);
    if (r->uninitialised)
        memset(memory + r->offset, UNINITIALISED_BYTE, r->size);
    for (uint64_t i = 0; input && i < r->size / (uint64_t)size; i++) {
        int64_t bits = gen_pattern(r->elem, i, rank);
        memcpy(memory + r->offset + i * (uint64_t)size, &bits, (size_t)size);
    }
    (void)g;
}

void gen_fill_ctx(uint8_t *ctx, int rank, int nranks, const uint64_t *bases)
{
    uint64_t pair = (uint64_t)(uint32_t)rank | (uint64_t)nranks << 32;
    memcpy(ctx + CTX_RANK_SLOT, &pair, sizeof pair);
    memcpy(ctx + CTX_WINDOWS, bases, sizeof *bases * (size_t)nranks);
}

static void fill_ctx(const struct gen *g, const struct region *ctx, const struct region *window,
                     uint8_t *memory, int rank)
{
    uint64_t bases[MAX_RANKS];
    for (int r = 0; r < g->opt->nranks; r++)
        bases[r] = gm_addr(r, window->offset);
    gen_fill_ctx(memory + ctx->offset, rank, g->opt->nranks, bases);
}

static void fill_memory(const struct gen *g, struct program *p)
{
    p->gm_init = arena_array(g->arena, uint8_t *, (size_t)p->nranks);
    size_t windows = (size_t)window_count(g);
    for (int rank = 0; rank < p->nranks; rank++) {
        p->gm_init[rank] = arena_alloc(g->arena, p->gm_bytes);
        for (size_t i = 0; i < g->regions.len; i++) {
            const struct region *r = &g->regions.items[i];
            if (r->kind == REGION_CTX && i < 2 * windows)
                fill_ctx(g, r, &g->regions.items[i - windows], p->gm_init[rank], rank);
            else
                fill_region(g, r, r->kind == REGION_LOCAL && !r->uninitialised, p->gm_init[rank],
                            rank);
        }
    }
}

/* ---- the program ---- */

static int grain_of(const struct gen *g)
{
    int grain = 4;
    vec_foreach (const struct region, r, &g->regions)
        if (elem_size(r->elem) < grain)
            grain = elem_size(r->elem);
    return grain;
}

bool gen_float_adds(const struct gen *g)
{
    vec_foreach (const struct dma, d, &g->dmas)
        if (d->atomic_add && (d->elem == ELEM_F32 || d->elem == ELEM_F16 || d->elem == ELEM_BF16))
            return true;
    return false;
}

struct code *gen_code(struct gen *g)
{
    struct code *c = arena_new(g->arena, struct code);
    *c = (struct code){.insns = g->code.items,
                       .count = (int)g->code.len,
                       .nregs = (int)g->reg_names.len,
                       .dmas = g->dmas.items,
                       .ndmas = (int)g->dmas.len,
                       .tile_ops = g->tile_ops.items,
                       .ntile_ops = (int)g->tile_ops.len,
                       .tiles = g->tiles.items,
                       .ntiles = (int)g->tiles.len,
                       .tile_bytes = g->tile_bytes,
                       .reg_names = g->reg_names.items,
                       .loops = g->loops.items,
                       .nloops = (int)g->loops.len};
    return c;
}

static struct program *finish(struct gen *g, uint64_t gm_bytes, int64_t **values)
{
    struct program *p = arena_new(g->arena, struct program);
    const struct code *c = gen_code(g);
    *p = (struct program){.name = g->prog->name ? g->prog->name : "kernel",
                          .source = g->prog->source,
                          .nranks = g->opt->nranks,
                          .ncores = g->opt->nranks,
                          .regions = g->regions.items,
                          .nregions = (int)g->regions.len,
                          .gm_bytes = gm_bytes,
                          .grain = grain_of(g),
                          .float_adds = gen_float_adds(g),
                          .sites = g->sites.items,
                          .nsites = (int)g->sites.len,
                          .tasks = g->tasks.items,
                          .ntasks = (int)g->tasks.len,
                          .arena = g->arena};
    p->cores = arena_array(g->arena, struct core_desc, (size_t)p->ncores);
    for (int r = 0; r < p->ncores; r++)
        p->cores[r] =
            (struct core_desc){.rank = r, .code = c, .args = values[r], .nargs = g->nargs};
    fill_memory(g, p);
    return p;
}

static bool known_bindings(struct gen *g, const param_list *params)
{
    for (size_t i = 0; i < g->opt->nargs; i++) {
        const struct binding *b = &g->opt->args[i];
        bool known = false;
        vec_foreach (struct param, p, params)
            known |= !strcmp(p->p->var->name, b->name);
        vec_foreach (struct ir_global, c, &g->prog->globals)
            known |= !strcmp(c->var->name, b->name);
        vec_foreach (struct ir_var *, v, &g->prog->implicit_symbols)
            known |= !strcmp((*v)->name, b->name);
        if (!known)
            return diag_error(g->d, b->source, b->at,
                              "the kernel has no parameter or constant '%s'", b->name);
    }
    return true;
}

static struct program *kernel_codegen(struct arena *a, const struct ir_program *p,
                                      const struct directives *dir, const struct codegen_options *o,
                                      struct diag *d)
{
    struct gen g = {.arena = a,
                    .prog = p,
                    .opt = o,
                    .dir = dir,
                    .d = d,
                    .site = -1,
                    .origin = ORIGIN_USER,
                    .block_index = imm_operand(0),
                    .block_count = imm_operand(1)};
    task_list tasks = {0};
    param_list params = {0};
    uint64_t bytes;
    if (!gen_globals(&g) || !choose_tasks(&g, &tasks) || !collect_params(&g, &tasks, &params) ||
        !known_bindings(&g, &params) || !lay_out(&g, &bytes))
        return NULL;
    int64_t **values = arena_array(a, int64_t *, (size_t)o->nranks);
    for (int r = 0; r < o->nranks; r++)
        values[r] = arena_array(a, int64_t, g.regions.len + params.len + 1);
    if (!bind_params(&g, &params, values))
        return NULL;
    vec_foreach (struct ir_func *, f, &p->funcs)
        if (ir_func_is_incore(*f))
            gen_count(&g, *f);
    for (size_t i = 0; i < tasks.len; i++)
        if (!gen_task(&g, tasks.items[i]))
            return NULL;
    gen_simple(&g, I_END);
    if (o->toolchain->auto_sync)
        auto_sync(&g);
    return finish(&g, bytes, values);
}

struct program *codegen(struct arena *a, const struct ir_program *p, const struct directives *dir,
                        const struct codegen_options *o, struct diag *d)
{
    /* Tasks that the file names run without its host. */
    const struct ir_func *entry = dir->tasks.len ? NULL : host_entry(p, d);
    if (d->failed)
        return NULL;
    if (!entry)
        return kernel_codegen(a, p, dir, o, d);
    const struct host_plan *plan = host_plan_make(a, p, entry, dir, o, d);
    return plan ? host_codegen(a, p, plan, dir, o, d) : NULL;
}
