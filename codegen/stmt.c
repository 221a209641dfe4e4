/* SPDX-License-Identifier: MIT */
/* Statements, bodies of functions, and calls that are generated where they stand. */
#include "codegen/internal.h"
#include "passes/insert_comm_fence.h"

static bool gen_block(struct gen *g, const ir_block *block);

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
        if (gen_here(g) == middle) { /* it only yields what is there already */
            g->code.len--;
            g->gm_uses.len--;
            gen_patch_here(g, skip);
            middle = -1;
        } else {
            gen_patch_here(g, end);
        }
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
        .name = s->for_.var->shown, .reg = var, .line = s->span.line, .outer = g->in_loop};
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
    if (!gen_assign_all(g, &s->for_.iter_args, &s->for_.inits, s->span))
        return false;
    /* The bounds are read once: a later change of a variable in them must not matter. */
    if (stop.reg != NO_REG) {
        int fixed = gen_reg(g, NULL);
        gen_move(g, fixed, stop);
        stop = reg_operand(fixed);
    }
    int var = gen_reg(g, s->for_.var->shown);
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
    if (!gen_assign_all(g, &s->while_.iter_args, &s->while_.inits, s->span))
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
    /* A function may end in a return that says nothing. */
    if (s->return_.values.len == 0 && s == g->func->body.items[g->func->body.len - 1])
        return true;
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
        return gen_assign_all(g, g->yield_to, &s->yield.values, s->span);
    case IR_RETURN:
        return gen_return(g, s);
    case IR_BREAK:
    case IR_CONTINUE:
        return gen_leave(g, s);
    default:
        return lanes_enter_scope(g, s) && gen_block(g, &s->scope.body);
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
    return origins[comm_fence_rule_of(block, i, &g->opt->pass)];
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

bool gen_function_body(struct gen *g, const struct ir_func *f, struct value *returned)
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
    gen_forget(g, f);
    for (size_t i = 0; i < f->params.len; i++)
        gen_bind_argument(g, f->params.items[i].var, values[i], at);
    struct value returned = none;
    gen_function_body(g, f, &returned);
    g->inline_depth--;
    return g->d->failed ? none : returned;
}
