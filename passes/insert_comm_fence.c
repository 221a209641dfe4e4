/* SPDX-License-Identifier: MIT */
#include "passes/insert_comm_fence.h"

#include <string.h>

#include "base/table.h"
#include "ir/ops.h"
#include "passes/acquire.h"
#include "passes/read_back.h"
#include "passes/rewrite.h"

static const char op_fence[] = "system.fence", op_invalidate[] = "system.cacheinvalid";

/* ---- the rules ---- */

/* A marker of a rule; in a sequence, none ends it. */
enum fence_marker { MARKER_NONE, MARKER_INVALIDATE_TARGET, MARKER_INVALIDATE_ALL, MARKER_FENCE };

enum { MAX_MARKERS = 2 };

/* What each rule puts after its statement. */
static const struct {
    const char *name;
    enum fence_marker markers[MAX_MARKERS];
} rules[] = {
    [COMM_FENCE_NONE] = {"none", {MARKER_NONE}},
    [COMM_FENCE_W1] = {"W1", {MARKER_INVALIDATE_TARGET, MARKER_FENCE}},
    [COMM_FENCE_W1_DMA] = {"W1", {MARKER_FENCE, MARKER_INVALIDATE_TARGET}},
    [COMM_FENCE_W2] = {"W2", {MARKER_FENCE}},
    [COMM_FENCE_W3] = {"W3", {MARKER_INVALIDATE_ALL, MARKER_FENCE}},
    [COMM_FENCE_R1] = {"R1", {MARKER_INVALIDATE_ALL}},
};
ROW_EACH(rules, COMM_FENCE_RULE_COUNT);

const char *comm_fence_rule_name(enum comm_fence_rule rule)
{
    return rules[rule].name;
}

/* A statement's rule, and for W1 the variable it publishes. */
struct fence_site {
    enum comm_fence_rule rule;
    struct ir_var *target;
};

/* The proposed rules publish a plain tensor too, and invalidate behind the fence what DMA wrote. */
static struct fence_site classify_write(const struct ir_call *call, enum pass_rules which)
{
    int target = call->op->target;
    if (target < 0 || (size_t)target >= call->args.len)
        return (struct fence_site){COMM_FENCE_NONE, NULL};
    const struct ir_expr *written = call->args.items[target];
    bool window = written->type && written->type->kind == IR_TYPE_DIST_TENSOR;
    bool plain = written->type && written->type->kind == IR_TYPE_TENSOR &&
                 which == PASS_RULES_PROPOSED && written->kind == IR_VAR;
    if (!window && !plain)
        return (struct fence_site){COMM_FENCE_NONE, NULL};
    if (written->kind != IR_VAR) /* no region can name it */
        return (struct fence_site){COMM_FENCE_W3, NULL};
    bool dma = which == PASS_RULES_PROPOSED && call->op->pipe != IR_PIPE_S;
    return (struct fence_site){dma ? COMM_FENCE_W1_DMA : COMM_FENCE_W1, written->var};
}

/* The compiler makes a read or a slice of it, both registered (pypto-front-facts 2.4). */
static bool is_subscript(const struct ir_call *call)
{
    return call->callee == IR_CALLEE_UNKNOWN && strcmp(call->name, "[]") == 0;
}

/* Only the leaf call of an eval or an assignment counts (pypto-facts 3.1). */
static struct fence_site classify_leaf(const struct ir_stmt *s, enum pass_rules which)
{
    const struct ir_call *call = ir_leaf_call(s);
    if (!call || is_subscript(call))
        return (struct fence_site){COMM_FENCE_NONE, NULL};
    if (call->callee != IR_CALLEE_OP)
        return (struct fence_site){COMM_FENCE_W3, NULL};
    switch (call->op->effect) {
    case IR_EFFECT_REMOTE_WRITE:
        return (struct fence_site){COMM_FENCE_W2, NULL};
    case IR_EFFECT_WRITE:
        return classify_write(call, which);
    case IR_EFFECT_WAIT:
        return (struct fence_site){COMM_FENCE_R1, NULL};
    default:
        return (struct fence_site){COMM_FENCE_NONE, NULL};
    }
}

static bool is_wait(const struct ir_stmt *s)
{
    return classify_leaf(s, PASS_RULES_COMPILER).rule == COMM_FENCE_R1;
}

/* ---- loops of nothing but waits ---- */

/* Three answers, not two: a body without any wait is no reason for an
 * invalidate (pypto-facts 3.3). */
enum waits { WAITS_EMPTY, WAITS_ONLY, WAITS_IMPURE };

/* A call is taken for arithmetic only when the registry proves it: no effect, scalars in. */
static bool is_scalar_arithmetic(const struct ir_call *call)
{
    return call->callee == IR_CALLEE_OP && call->op->effect == IR_EFFECT_PURE &&
           strspn(call->op->args, "si") == strlen(call->op->args);
}

static bool no_memory_call(const struct ir_expr *e, void *root)
{
    return e->kind != IR_CALL || e == root || is_scalar_arithmetic(&e->call);
}

static bool is_inert(const struct ir_expr *e)
{
    return ir_walk_expr(e, no_memory_call, NULL);
}

static bool is_inert_wait(const struct ir_stmt *s)
{
    struct ir_expr *call = s->kind == IR_ASSIGN ? s->assign.value : s->eval;
    return ir_walk_expr(call, no_memory_call, call);
}

/* False also for what is no control statement: a loop of waits holds nothing else. A loop that
 * carries values ends in a yield and so falls out here too. */
static bool has_inert_control(const struct ir_stmt *s)
{
    switch (s->kind) {
    case IR_IF:
        return is_inert(s->if_.cond);
    case IR_FOR:
        return is_inert(s->for_.start) && is_inert(s->for_.stop) && is_inert(s->for_.step);
    case IR_WHILE:
        return is_inert(s->while_.cond);
    default:
        return false;
    }
}

static enum waits waits_in_stmt(struct ir_stmt *s)
{
    if (is_wait(s))
        return is_inert_wait(s) ? WAITS_ONLY : WAITS_IMPURE;
    if (!has_inert_control(s))
        return WAITS_IMPURE;
    enum waits all = WAITS_EMPTY;
    ir_block *blocks[PASS_MAX_BLOCKS];
    size_t n = pass_child_blocks(s, blocks);
    for (size_t b = 0; b < n; b++)
        vec_foreach (struct ir_stmt *, it, blocks[b]) {
            enum waits one = waits_in_stmt(*it);
            if (one > all)
                all = one;
            if (all == WAITS_IMPURE)
                return all;
        }
    return all;
}

static bool is_wait_loop(struct ir_stmt *s)
{
    return (s->kind == IR_FOR || s->kind == IR_WHILE) && waits_in_stmt(s) == WAITS_ONLY;
}

/* ---- markers that are there already ---- */

static bool is_call_of(const struct ir_stmt *s, const char *op)
{
    const struct ir_call *call = ir_leaf_call(s);
    return call && call->callee == IR_CALLEE_OP && strcmp(call->op->name, op) == 0;
}

/* A region matches by its variable alone, shapes and offsets are not compared (pypto-facts 3.2). */
static bool is_marker(const struct ir_stmt *s, enum fence_marker marker,
                      const struct ir_var *target)
{
    if (marker == MARKER_FENCE)
        return is_call_of(s, op_fence);
    if (!is_call_of(s, op_invalidate))
        return false;
    const ir_exprs *args = &ir_leaf_call(s)->args;
    if (marker == MARKER_INVALIDATE_ALL)
        return args->len == 0;
    return args->len > 0 && args->items[0]->kind == IR_VAR && args->items[0]->var == target;
}

/* How many markers of the site stand behind statement i, in the site's order. */
static size_t markers_behind(const ir_block *block, size_t i, struct fence_site site)
{
    const enum fence_marker *markers = rules[site.rule].markers;
    size_t n = 0;
    while (n < MAX_MARKERS && markers[n] && i + 1 + n < block->len &&
           is_marker(block->items[i + 1 + n], markers[n], site.target))
        n++;
    return n;
}

static bool markers_follow(const ir_block *block, size_t i, struct fence_site site)
{
    size_t n = markers_behind(block, i, site);
    return n == MAX_MARKERS || !rules[site.rule].markers[n];
}

static bool is_region_of(const struct ir_stmt *s, const struct ir_var *tensor)
{
    return is_marker(s, MARKER_INVALIDATE_TARGET, tensor);
}

/* ---- inserting ---- */

struct marking {
    struct arena *arena;
    enum pass_batch batch;
    enum pass_rules rules;
    const struct ir_func *func;
    struct read_back reads;   /* of the function, for the proposed rules */
    struct acquire_uses uses; /* likewise, for the modes that go further */
};

static void push_marker(struct arena *a, ir_block *out, const char *op, ir_exprs args,
                        struct span at)
{
    struct ir_stmt *marker = ir_stmt_new(a, IR_EVAL, at);
    marker->eval = ir_op_call(a, op, args, at);
    vec_push(a, out, marker);
}

/* (target, its dimensions, zeros): the whole tensor, in the words of its own type. */
static ir_exprs region_args(struct arena *a, struct ir_var *target, struct span at)
{
    ir_exprs args = {0}, offsets = {0};
    for (size_t i = 0; i < target->type->shape.len; i++)
        vec_push(a, &offsets, ir_int(a, 0, IR_INDEX, at));
    vec_push(a, &args, ir_var_ref(a, target, at));
    vec_push(a, &args, ir_tuple(a, target->type->shape, at));
    vec_push(a, &args, ir_tuple(a, offsets, at));
    return args;
}

/* The markers carry the span of their cause, so that a finding names the line of the kernel. */
static void push_markers(struct arena *a, ir_block *out, struct fence_site site, struct span at)
{
    const enum fence_marker *markers = rules[site.rule].markers;
    for (size_t i = 0; i < MAX_MARKERS && markers[i]; i++) {
        ir_exprs args = {0};
        if (markers[i] == MARKER_INVALIDATE_TARGET)
            args = region_args(a, site.target, at);
        push_marker(a, out, markers[i] == MARKER_FENCE ? op_fence : op_invalidate, args, at);
    }
}

/* (tensor, ones, index): the line of one element. */
static ir_exprs line_args(struct arena *a, const struct acquire_line *line, struct span at)
{
    ir_exprs args = {0}, ones = {0};
    for (size_t i = 0; i < line->index.len; i++)
        vec_push(a, &ones, ir_int(a, 1, IR_INDEX, at));
    vec_push(a, &args, ir_var_ref(a, line->tensor, at));
    vec_push(a, &args, ir_tuple(a, ones, at));
    vec_push(a, &args, ir_tuple(a, line->index, at));
    return args;
}

/* As many region markers stand behind i as the lines would be, each of the line's tensor. */
static bool lines_follow(const ir_block *block, size_t i, const acquire_lines *lines)
{
    for (size_t k = 0; k < lines->len; k++)
        if (i + 1 + k >= block->len ||
            !is_region_of(block->items[i + 1 + k], lines->items[k].tensor))
            return false;
    return true;
}

/* PASS_BATCH_LINES, at statement i, behind which rule R1 puts its marker. False: the lines cannot be
 * named, and it is the whole cache. */
static bool push_lines(const struct marking *m, ir_block *out, const ir_block *block, size_t i,
                       bool *missing)
{
    acquire_lines lines;
    if (!acquire_lines_after(&m->uses, block->items[i], &lines))
        return false;
    *missing = !lines_follow(block, i, &lines);
    for (size_t k = 0; *missing && k < lines.len; k++)
        push_marker(m->arena, out, op_invalidate,
                    line_args(m->arena, &lines.items[k], block->items[i]->span),
                    block->items[i]->span);
    return true;
}

/* Does the next statement's invalidate serve the wait at i as well? */
static bool shares_invalidate(const ir_block *block, size_t i)
{
    return i + 1 < block->len && is_wait(block->items[i + 1]) && is_inert_wait(block->items[i + 1]);
}

/* A plain tensor that the function does not read again needs no marker:
 * a task's end publishes it. */
static bool is_left_alone(const struct marking *m, struct fence_site site)
{
    return site.target && site.target->type->kind == IR_TYPE_TENSOR &&
           !read_back_has(&m->reads, site.target);
}

/*
 * tensor.assemble of what a function computes becomes a tile.store, and is marked as one. Of a
 * parameter it stays what it is, and the compiler's predicate does not know it (pypto-ops-facts 1;
 * pypto-front-facts 2.5).
 */
static bool stays_an_assemble(const struct marking *m, const struct ir_stmt *s)
{
    const struct ir_call *call = ir_leaf_call(s);
    if (!call || !is_call_of(s, "tensor.assemble") || m->rules == PASS_RULES_PROPOSED)
        return false;
    const struct ir_expr *source = ir_call_arg(call, "source");
    vec_foreach (struct ir_param, p, &m->func->params)
        if (source && source->kind == IR_VAR && source->var == p->var)
            return true;
    return false;
}

/* What belongs after statement i of block once batching has had its say. */
static struct fence_site site_at(const struct marking *m, const ir_block *block, size_t i)
{
    struct ir_stmt *s = block->items[i];
    struct fence_site site = classify_leaf(s, m->rules);
    if (is_left_alone(m, site) || stays_an_assemble(m, s))
        site.rule = COMM_FENCE_NONE;
    if (m->batch && site.rule == COMM_FENCE_R1 && shares_invalidate(block, i))
        site.rule = COMM_FENCE_NONE;
    if (m->batch && is_wait_loop(s))
        site.rule = COMM_FENCE_R1;
    if (m->batch == PASS_BATCH_USE && site.rule == COMM_FENCE_R1)
        site.rule = COMM_FENCE_NONE;
    return site;
}

/* Replaces *block by a marked list, or leaves it as it is when it needs no marker. */
static void mark_block(void *ctx, ir_block *block)
{
    const struct marking *m = ctx;
    ir_block out = {0};
    bool changed = false;
    for (size_t i = 0; i < block->len; i++) {
        struct ir_stmt *s = block->items[i];
        bool whole = m->batch && is_wait_loop(s);
        struct ir_stmt *visited = whole ? s : rewrite_blocks(m->arena, s, mark_block, ctx);
        vec_push(m->arena, &out, visited);
        struct fence_site site = site_at(m, block, i);
        bool missing = site.rule != COMM_FENCE_NONE && !markers_follow(block, i, site);
        bool lines = m->batch == PASS_BATCH_LINES && site.rule == COMM_FENCE_R1;
        if (missing && !(lines && push_lines(m, &out, block, i, &missing)))
            push_markers(m->arena, &out, site, s->span);
        changed = changed || missing || visited != s;
    }
    if (changed)
        *block = out;
}

static struct ir_func *mark_func(void *ctx, struct ir_func *f)
{
    struct marking *m = ctx;
    m->func = f;
    if (m->rules == PASS_RULES_PROPOSED)
        read_back_collect(&m->reads, m->arena, &f->body);
    if (m->batch > PASS_BATCH_LOOPS)
        acquire_collect(&m->uses, m->arena, f);
    ir_block body = f->body;
    mark_block(m, &body);
    if (m->batch == PASS_BATCH_USE)
        body = acquire_at_use(&m->uses, body);
    return pass_with_body(m->arena, f, body);
}

struct ir_program *insert_comm_fence(struct arena *a, const struct ir_program *p,
                                     const struct pass_options *o, struct diag *d)
{
    (void)d;
    struct marking m = {.arena = a, .batch = o->batch, .rules = o->rules};
    return rewrite_funcs(a, p, PASS_CORE, mark_func, &m);
}

/* ---- whose marker is it? ---- */

/* The rule of statement `cause`, if the marker at i is one of those that stand behind it. */
static enum comm_fence_rule rule_after(const ir_block *block, size_t cause, size_t i,
                                       enum pass_rules which)
{
    struct ir_stmt *s = block->items[cause];
    struct fence_site site = classify_leaf(s, which);
    if (site.rule == COMM_FENCE_NONE && is_wait_loop(s))
        site.rule = COMM_FENCE_R1;
    return i <= cause + markers_behind(block, cause, site) ? site.rule : COMM_FENCE_NONE;
}

/* The marker at i is none that stands right behind its cause, but one of the modes that go further. */
static bool is_further_acquire(const ir_block *block, size_t i, enum pass_batch batch)
{
    if (batch == PASS_BATCH_USE)
        return is_marker(block->items[i], MARKER_INVALIDATE_ALL, NULL);
    size_t cause = i;
    while (batch == PASS_BATCH_LINES && cause > 0 && is_call_of(block->items[cause], op_invalidate))
        cause--;
    return cause < i && (is_wait(block->items[cause]) || is_wait_loop(block->items[cause]));
}

enum comm_fence_rule comm_fence_rule_of(const ir_block *block, size_t i,
                                        const struct pass_options *o)
{
    enum comm_fence_rule rule = COMM_FENCE_NONE;
    for (size_t back = 1; back <= MAX_MARKERS && back <= i && rule == COMM_FENCE_NONE; back++)
        rule = rule_after(block, i - back, i, o->rules);
    return rule == COMM_FENCE_NONE && is_further_acquire(block, i, o->batch) ? COMM_FENCE_R1 : rule;
}
