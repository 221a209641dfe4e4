/* SPDX-License-Identifier: MIT */
/* Dispatches to ranks and the tasks in them: whom they wait for, what their calls return. */
#include <stdlib.h>
#include <string.h>

#include "codegen/internal.h"
#include "codegen/host/host_internal.h"
#include "passes/deferred_wait.h"
#include "passes/pass.h"

static const struct host_value nothing = {.kind = HOST_VOID};

/* ---- how arguments are used ---- */

static unsigned use_of_direction(enum ir_direction d)
{
    return d == IR_IN ? HOST_READS : d == IR_OUT ? HOST_WRITES : HOST_READS | HOST_WRITES;
}

/* arg_directions of the call (pypto-facts 1.6), or what the callee declares. */
static unsigned use_of_arg(const struct ir_call *call, const struct ir_func *f, int arg, size_t i)
{
    const struct ir_expr *list = host_attr(call, "arg_directions");
    bool listed = arg >= 0 && list && (list->kind == IR_LIST || list->kind == IR_TUPLE) &&
                  (size_t)arg < list->items.len;
    const struct ir_expr *d = listed ? list->items.items[arg] : NULL;
    if (!d || d->kind != IR_NAME)
        return use_of_direction(f->params.items[i].direction);
    if (strstr(d->name, "inout"))
        return HOST_READS | HOST_WRITES;
    return strstr(d->name, "output") ? HOST_WRITES : HOST_READS;
}

static uint64_t domains_of(const struct host_run *h, const struct host_value *args, size_t n)
{
    uint64_t domains = 0;
    for (size_t i = 0; i < n; i++) {
        int d = args[i].kind == HOST_CTX    ? (int)args[i].number
                : args[i].kind == HOST_VIEW ? h->plan->objects.items[args[i].view.object].domain
                                            : -1;
        if (d >= 0)
            domains |= (uint64_t)1 << d;
    }
    return domains;
}

static host_extents extents_of(struct host_run *h, const struct host_value *args,
                               const unsigned *uses, size_t n)
{
    host_extents out = {0};
    for (size_t i = 0; i < n; i++)
        if (args[i].kind == HOST_VIEW) {
            struct host_extent e = host_extent_of(&args[i].view, uses[i]);
            vec_push(h->arena, &out, e);
        }
    return out;
}

static bool conflict(const host_extents *x, const host_extents *y)
{
    vec_foreach (const struct host_extent, a, x)
        vec_foreach (const struct host_extent, b, y)
            if (a->object == b->object && a->low < b->high && b->low < a->high &&
                ((a->use | b->use) & HOST_WRITES))
                return true;
    return false;
}

static bool is_member(const struct host_domain *d, int rank)
{
    for (int i = 0; i < d->ndevices; i++)
        if (d->devices[i] == rank)
            return true;
    return false;
}

/* ---- dispatches ---- */

static void dispatch_begin(struct host_run *h, int rank, struct span at,
                           const struct host_value *args, const unsigned *uses, size_t nargs)
{
    struct host_dispatch d = {.rank = rank,
                              .first_task = (int)h->plan->tasks.len,
                              .step = h->group >= 0 ? h->group : h->plan->nsteps++,
                              .domains = domains_of(h, args, nargs),
                              .uses = extents_of(h, args, uses, nargs)};
    for (size_t i = 0; i < h->plan->domains.len; i++)
        if ((d.domains >> i & 1) && !is_member(&h->plan->domains.items[i], rank))
            host_error(h, at, "rank %d is given a window of '%s', which it is no member of", rank,
                       h->plan->domains.items[i].name);
    vec_push(h->arena, &h->dispatches, d);
    h->dispatch = (int)h->dispatches.len - 1;
    h->rank = rank;
}

static void dispatch_end(struct host_run *h)
{
    h->dispatches.items[h->dispatch].end_task = (int)h->plan->tasks.len;
    h->dispatch = -1;
    h->rank = -1;
}

/* ---- what a task waits for ---- */

/* Marks task t and all that it waits for. */
static void cover(const struct host_run *h, int t, bool *covered)
{
    if (covered[t])
        return;
    covered[t] = true;
    vec_foreach (const int, before, &h->plan->tasks.items[t].after)
        cover(h, *before, covered);
}

static int descending(const void *x, const void *y)
{
    return *(const int *)y - *(const int *)x;
}

/* The tasks of candidates[n] that no other of them waits for, ascending, into t->after. */
static void set_after(struct host_run *h, struct host_task *t, int *candidates, int n)
{
    bool *covered = arena_array(h->arena, bool, h->plan->tasks.len + 1);
    VEC(int) chosen = {0};
    qsort(candidates, (size_t)n, sizeof *candidates, descending);
    for (int i = 0; i < n; i++)
        if (!covered[candidates[i]]) {
            vec_push(h->arena, &chosen, candidates[i]);
            cover(h, candidates[i], covered);
        }
    for (size_t i = chosen.len; i-- > 0;)
        vec_push(h->arena, &t->after, chosen.items[i]);
}

/* Tasks of earlier dispatches of the rank that the running dispatch waits for as a whole. */
static int earlier_dispatches(const struct host_run *h, int *out)
{
    const struct host_dispatch *mine = &h->dispatches.items[h->dispatch];
    int n = 0;
    for (int i = 0; i < h->dispatch; i++) {
        const struct host_dispatch *d = &h->dispatches.items[i];
        if (d->rank != mine->rank ||
            (!(d->domains & mine->domains) && !conflict(&d->uses, &mine->uses)))
            continue;
        for (int t = d->first_task; t < d->end_task; t++)
            out[n++] = t;
    }
    return n;
}

static int earlier_tasks(const struct host_run *h, const host_extents *uses, int *out)
{
    int n = 0, end = h->lanes ? h->lanes->first_task : (int)h->plan->tasks.len;
    for (int t = h->dispatches.items[h->dispatch].first_task; t < end; t++)
        if (conflict(&h->task_uses.items[t], uses))
            out[n++] = t;
    return n;
}

static bool on_host(const struct host_run *h, const struct host_extent *e)
{
    const struct host_object *o = &h->plan->objects.items[e->object];
    return o->domain < 0 && !o->own;
}

/* Nothing carries what one rank has written to a tensor of the host over to another rank. */
static bool check_moves(struct host_run *h, const struct host_task *t, const host_extents *uses)
{
    vec_foreach (const struct host_extent, e, uses)
        vec_foreach (const struct host_extent, w, &h->written)
            if (w->object == e->object && w->low < e->high && e->low < w->high &&
                (int)w->use != t->rank && (e->use & HOST_READS))
                return host_error(h, t->at,
                                  "rank %d reads what rank %u has written to '%s': moving a tensor "
                                  "between ranks over the host is not modelled",
                                  t->rank, w->use, h->plan->objects.items[e->object].name);
    vec_foreach (const struct host_extent, e, uses)
        if ((e->use & HOST_WRITES) && on_host(h, e)) {
            struct host_extent w = *e;
            w.use = (unsigned)t->rank;
            vec_push(h->arena, &h->written, w);
        }
    return true;
}

static int task_add(struct host_run *h, struct host_task t)
{
    if (h->plan->tasks.len == HOST_MAX_TASKS)
        return host_error(h, t.at, "the host program has more than %d tasks", HOST_MAX_TASKS), -1;
    if (!host_choose_core(h, &t))
        return -1;
    t.step = h->dispatches.items[h->dispatch].step;
    if (t.strand >= 0)
        h->strands.items[t.strand].last = (int)h->plan->tasks.len;
    vec_push(h->arena, &h->plan->tasks, t);
    return (int)h->plan->tasks.len - 1;
}

/* Tasks in a list of deps=, and in the arrays of it; *follows is set when one of them is first or later. */
static int named_tasks(const struct host_value *deps, int *out, int first, bool *follows)
{
    int n = 0;
    for (size_t i = 0; i < deps->nitems; i++) {
        const struct host_value *v = &deps->items[i];
        if (v->kind == HOST_TUPLE)
            n += named_tasks(v, out + n, first, follows);
        if (v->kind != HOST_TASK || v->number < 0)
            continue;
        for (size_t k = 0; k < v->nitems; k++)
            out[n++] = (int)(v->number - (int64_t)k);
        *follows |= v->number >= first;
    }
    return n;
}

static size_t named_count(const struct host_value *deps)
{
    size_t n = 0;
    for (size_t i = 0; i < deps->nitems; i++)
        n += deps->items[i].kind == HOST_TUPLE  ? named_count(&deps->items[i])
             : deps->items[i].kind == HOST_TASK ? deps->items[i].nitems
                                                : 0;
    return n;
}

/* The last tasks on the cores of the clusters that the launch takes, but those of its own lanes. */
static int cluster_tasks(const struct host_run *h, const struct host_task *t, int *out)
{
    int n = 0, end = h->lanes ? h->lanes->first_task : (int)h->plan->tasks.len;
    bool seen[HOST_MAX_CORES] = {false};
    for (int i = end; i-- > 0;) {
        const struct host_task *b = &h->plan->tasks.items[i];
        if (b->rank != h->rank || b->strand >= 0 || seen[b->core])
            continue;
        seen[b->core] = true;
        if (h->plan->places.items[b->core].cluster < t->blocks)
            out[n++] = i;
    }
    return n;
}

/* The tasks of one launch of t: its blocks, which do not wait for each other. A lane of a Group
 * uses what the Group is given. */
static void launch(struct host_run *h, struct host_task t, const host_extents *own)
{
    const struct host_dispatch *d = &h->dispatches.items[h->dispatch];
    const host_extents *uses = h->lanes ? h->lanes->uses : own;
    size_t room = 3 * h->plan->tasks.len + named_count(&h->deps) + named_count(&d->deps);
    int *before = arena_array(h->arena, int, room + 1);
    int n = h->manual ? 0 : earlier_tasks(h, uses, before);
    bool follows = n > 0;
    t.rank = h->rank;
    t.launch = h->lanes ? h->lanes->func : t.func;
    t.lane = h->lanes ? h->lanes->lanes - 1 : 0;
    n += named_tasks(&h->deps, before + n, d->first_task, &follows);
    if (!follows) { /* the tasks of its dispatch that it follows have waited already */
        n += named_tasks(&d->deps, before + n, d->first_task, &follows);
        n += earlier_dispatches(h, before + n);
    }
    t.deferred = deferred_wait_in(&t.func->body);
    host_choose_strand(h, &t, before, n);
    if (host_takes_cluster(h, &t) && t.strand < 0)
        n += cluster_tasks(h, &t, before + n);
    set_after(h, &t, before, n);
    if (!check_moves(h, &t, own))
        return;
    int both = h->plan->clustered && lanes_is_dual(t.func);
    host_extents none = {0};
    for (t.block = 0; t.block < t.blocks && !h->d->failed; t.block++)
        for (t.vector = 0; t.vector <= both && !h->d->failed; t.vector++) {
            task_add(h, t);
            vec_push(h->arena, &h->task_uses, h->manual ? none : *uses);
        }
}

/* ---- which argument a kernel returns ---- */

struct lookup {
    const struct ir_var *var;
    const struct ir_expr *value;
};

static const struct ir_expr *last_yield(const ir_block *block, size_t i)
{
    const struct ir_stmt *s = ir_block_yield(block);
    return s && i < s->yield.values.len ? s->yield.values.items[i] : NULL;
}

static bool is_result(const ir_vars *results, const struct ir_var *v, size_t *at)
{
    for (*at = 0; *at < results->len; ++*at)
        if (results->items[*at] == v)
            return true;
    return false;
}

/* What stands for the variable after the statement; a loop's result is what it started with. */
static const struct ir_expr *definition(const struct ir_stmt *s, const struct ir_var *v)
{
    size_t i;
    if (s->kind == IR_ASSIGN && s->assign.targets.len == 1 && s->assign.targets.items[0] == v)
        return s->assign.value;
    if (s->kind == IR_IF && is_result(&s->if_.results, v, &i))
        return last_yield(&s->if_.then_body, i);
    if (s->kind == IR_FOR &&
        (is_result(&s->for_.results, v, &i) || is_result(&s->for_.iter_args, v, &i)))
        return i < s->for_.inits.len ? s->for_.inits.items[i] : NULL;
    if (s->kind == IR_WHILE &&
        (is_result(&s->while_.results, v, &i) || is_result(&s->while_.iter_args, v, &i)))
        return i < s->while_.inits.len ? s->while_.inits.items[i] : NULL;
    return NULL;
}

static const struct ir_expr *find_definition(const ir_block *block, const struct ir_var *v)
{
    vec_foreach (struct ir_stmt *, at, block) {
        const struct ir_expr *e = definition(*at, v);
        ir_block *inner[PASS_MAX_BLOCKS];
        size_t n = pass_child_blocks(*at, inner);
        for (size_t i = 0; !e && i < n; i++)
            e = find_definition(inner[i], v);
        if (e)
            return e;
    }
    return NULL;
}

/* The operand whose memory a value is, by the registry's result rule,
 * followed up to a parameter. */
static int param_of(const struct ir_func *f, const struct ir_expr *e)
{
    enum { MAX_STEPS = 64 };
    for (int step = 0; e && step < MAX_STEPS; step++) {
        if (e->kind == IR_CALL && e->call.callee == IR_CALLEE_OP &&
            e->call.op->result == IR_RESULT_ARG &&
            (size_t)e->call.op->result_arg < e->call.args.len)
            e = e->call.args.items[e->call.op->result_arg];
        if (e->kind != IR_VAR)
            return -1;
        for (size_t i = 0; i < f->params.len; i++)
            if (f->params.items[i].var == e->var)
                return (int)i;
        e = find_definition(&f->body, e->var);
    }
    return -1;
}

static const struct ir_stmt *find_return(const ir_block *block)
{
    vec_foreach (struct ir_stmt *, at, block) {
        ir_block *inner[PASS_MAX_BLOCKS];
        size_t n = pass_child_blocks(*at, inner);
        const struct ir_stmt *found = (*at)->kind == IR_RETURN ? *at : NULL;
        for (size_t i = 0; !found && i < n; i++)
            found = find_return(inner[i]);
        if (found)
            return found;
    }
    return NULL;
}

/* What the call of a kernel stands for: the arguments that it returns. */
static struct host_value returned(struct host_run *h, const struct ir_func *f,
                                  const struct host_value *args)
{
    const struct ir_stmt *r = find_return(&f->body);
    size_t n = r ? r->return_.values.len : 0;
    if (n == 0)
        return nothing;
    struct host_value *items = arena_array(h->arena, struct host_value, n);
    for (size_t i = 0; i < n; i++) {
        int p = param_of(f, r->return_.values.items[i]);
        items[i] = p < 0 ? nothing : args[p];
    }
    return n == 1 ? items[0] : (struct host_value){.kind = HOST_TUPLE, .items = items, .nitems = n};
}

/* ---- calls ---- */

static bool device_rank(struct host_run *h, const struct ir_expr *e, int *rank)
{
    int64_t device = 0;
    if (!host_int(h, e, "'device'", &device))
        return false;
    if (device < 0 || device >= h->opt->nranks)
        return host_error(h, e->span, "there is no device %lld: there are %d ranks",
                          (long long)device, h->opt->nranks);
    *rank = (int)device;
    return true;
}

/* The blocks of a launch: core_num of the call, of an Spmd function, or 1. */
static bool block_count(struct host_run *h, const struct ir_call *call, const struct ir_func *f,
                        int *out)
{
    const struct ir_expr *e = host_attr(call, "core_num");
    int64_t n = 1;
    if (!e && f->type == IR_FUNC_SPMD) {
        e = ir_kwarg_find(&f->decorator, "core_num");
        if (!e)
            e = ir_kwarg_find(&f->attrs, "core_num");
    }
    if (e && !host_int(h, e, "core_num", &n))
        return false;
    if (e && (n < 1 || n > HOST_MAX_BLOCKS))
        return host_error(h, e->span, "expected 1 to %d blocks", HOST_MAX_BLOCKS);
    *out = e ? (int)n : h->blocks;
    return true;
}

/* A function of a Group is a lane: of the cube, or of the vector core. */
static bool add_lane(struct host_run *h, const struct ir_expr *e, const struct ir_func *f)
{
    struct host_group *g = h->lanes;
    unsigned type = 1u << f->type, incore = 1u << IR_FUNC_INCORE;
    if (g && g->types && (g->types & type || (g->types | type) & incore))
        return host_error(h, e->span,
                          "a Group runs an AIC and an AIV function at once; '%s' is one function "
                          "more",
                          f->name);
    if (g) {
        g->types |= type;
        g->lanes++;
    }
    return true;
}

static struct host_value call_kernel(struct host_run *h, const struct ir_expr *e,
                                     const struct ir_func *f, struct host_value *args,
                                     const unsigned *uses)
{
    host_extents extents = extents_of(h, args, uses, f->params.len);
    struct host_task t = {.name = f->name,
                          .func = f,
                          .program = h->prog,
                          .at = e->span,
                          .args = args,
                          .nargs = (int)f->params.len};
    if (!block_count(h, &e->call, f, &t.blocks) || !add_lane(h, e, f))
        return nothing;
    launch(h, t, &extents);
    return h->d->failed ? nothing : returned(h, f, args);
}

static struct host_value call_group(struct host_run *h, const struct ir_expr *e,
                                    const struct ir_func *f, struct host_value *args,
                                    const unsigned *uses)
{
    host_extents extents = extents_of(h, args, uses, f->params.len);
    struct host_group group = {.func = f,
                               .mixed = lanes_is_mixed(h->prog, f),
                               .strand = -1,
                               .uses = &extents,
                               .first_task = (int)h->plan->tasks.len};
    struct host_value out = nothing;
    if (h->lanes) {
        host_error(h, e->span, "a Group holds functions of one cluster; '%s' is a Group itself",
                   f->name);
        return nothing;
    }
    h->lanes = &group;
    host_function(h, f, args, f->params.len, e->span, &out);
    h->lanes = NULL;
    return out;
}

/* Both lists of tasks. */
static struct host_value joined(struct host_run *h, const struct host_value *x,
                                const struct host_value *y)
{
    size_t n = x->nitems + y->nitems;
    struct host_value *items = arena_array(h->arena, struct host_value, n + 1);
    for (size_t i = 0; i < n; i++)
        items[i] = i < x->nitems ? x->items[i] : y->items[i - x->nitems];
    return (struct host_value){.kind = HOST_TUPLE, .items = items, .nitems = n};
}

static struct host_value run_callee(struct host_run *h, const struct ir_expr *e,
                                    const struct ir_func *f, struct host_value *args,
                                    const unsigned *uses, const struct host_value *deps)
{
    struct host_value out = nothing, outer_deps = h->deps;
    int outer = h->blocks;
    if (deps->nitems)
        h->deps = joined(h, &h->deps, deps);
    if (ir_func_is_incore(f))
        out = call_kernel(h, e, f, args, uses);
    else if (!block_count(h, &e->call, f, &h->blocks))
        return nothing;
    else if (f->type == IR_FUNC_GROUP)
        out = call_group(h, e, f, args, uses);
    else
        host_function(h, f, args, f->params.len, e->span, &out);
    h->blocks = outer;
    h->deps = outer_deps;
    return out;
}

/* A launch returns its results, then its tasks: those from first on. */
static struct host_value with_tasks(struct host_run *h, struct host_value v, size_t first)
{
    size_t n = v.kind == HOST_TUPLE  ? v.nitems
               : v.kind == HOST_VOID ? 0
                                     : 1,
           tasks = h->plan->tasks.len - first;
    struct host_value *items = arena_array(h->arena, struct host_value, n + 1);
    for (size_t i = 0; i < n; i++)
        items[i] = v.kind == HOST_TUPLE ? v.items[i] : v;
    items[n] = (struct host_value){
        .kind = HOST_TASK, .number = tasks ? (int64_t)(first + tasks) - 1 : -1, .nitems = tasks};
    return n ? (struct host_value){.kind = HOST_TUPLE, .items = items, .nitems = n + 1} : items[0];
}

static bool takes_window(const struct host_run *h, const struct host_value *args, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (args[i].kind == HOST_CTX ||
            (args[i].kind == HOST_VIEW && h->plan->objects.items[args[i].view.object].domain >= 0))
            return true;
    return false;
}

static struct host_value dispatch(struct host_run *h, const struct ir_expr *e,
                                  const struct ir_func *f, struct host_value *args,
                                  const unsigned *uses, const struct host_value *deps)
{
    const struct ir_expr *device = host_attr(&e->call, "device");
    size_t first = h->plan->tasks.len;
    int rank = 0; /* without one, which the runtime chooses (pypto-front-facts 2.7) */
    if (!device && takes_window(h, args, f->params.len)) {
        host_error(
            h, e->span,
            "expected device=RANK: '%s' is given a window, which the ranks of a domain share",
            f->name);
        return nothing;
    }
    if (device && !device_rank(h, device, &rank))
        return nothing;
    dispatch_begin(h, rank, e->span, args, uses, f->params.len);
    h->dispatches.items[h->dispatch].deps = *deps;
    struct host_value v = h->d->failed ? nothing : run_callee(h, e, f, args, uses, &nothing);
    dispatch_end(h);
    return e->call.callee == IR_CALLEE_SUBMIT ? with_tasks(h, v, first) : v;
}

bool host_dispatch(struct host_run *h, const struct ir_func *f, struct host_value *args, int rank)
{
    unsigned *uses = arena_array(h->arena, unsigned, f->params.len + 1);
    struct host_value out;
    for (size_t i = 0; i < f->params.len; i++)
        uses[i] = use_of_direction(f->params.items[i].direction);
    dispatch_begin(h, rank, f->span, args, uses, f->params.len);
    bool ok = !h->d->failed && host_function(h, f, args, f->params.len, f->span, &out);
    dispatch_end(h);
    return ok;
}

static struct host_value call_in_dispatch(struct host_run *h, const struct ir_expr *e,
                                          const struct ir_func *f, struct host_value *args,
                                          const unsigned *uses, const struct host_value *deps)
{
    size_t first = h->plan->tasks.len;
    struct host_value v = run_callee(h, e, f, args, uses, deps);
    return e->call.callee == IR_CALLEE_SUBMIT ? with_tasks(h, v, first) : v;
}

struct host_value host_call(struct host_run *h, const struct ir_expr *e)
{
    const struct ir_call *c = &e->call;
    const struct ir_func *f = ir_find_func(h->prog, c->name);
    struct host_value v = nothing;
    if (!f) {
        host_error(h, e->span, "the program has no function '%s'", c->name);
        return nothing;
    }
    if (!ir_call_fits(f, c)) {
        host_error(h, e->span, "'%s' takes %zu arguments, not %zu", f->name, f->params.len,
                   c->args.len);
        return nothing;
    }
    struct host_value *args = arena_array(h->arena, struct host_value, f->params.len + 1);
    unsigned *uses = arena_array(h->arena, unsigned, f->params.len + 1);
    for (size_t i = 0; i < f->params.len; i++) {
        int at = ir_arg_of_param(f, c, i);
        args[i] = at < 0 ? host_allocate(h, f->params.items[i].var->type, e->span)
                         : host_eval(h, c->args.items[at]);
        uses[i] = use_of_arg(c, f, at, i);
        if (h->d->failed)
            return nothing;
    }
    if (ir_func_is_host_orchestrator(f)) {
        if (h->rank >= 0)
            host_error(h, e->span, "'%s' is a function of the host", f->name);
        else
            host_function(h, f, args, f->params.len, e->span, &v);
        return v;
    }
    const struct ir_expr *list = host_attr(c, "deps");
    struct host_value deps = list ? host_eval(h, list) : nothing;
    if (h->d->failed)
        return nothing;
    return h->rank < 0 ? dispatch(h, e, f, args, uses, &deps)
                       : call_in_dispatch(h, e, f, args, uses, &deps);
}

/* ---- builtin collectives (pypto-facts 5.6) ---- */

static int domain_size(const struct host_run *h, const struct host_value *args, size_t n)
{
    uint64_t domains = domains_of(h, args, n);
    return domains ? h->plan->domains.items[__builtin_ctzll(domains)].ndevices : 0;
}

struct host_value host_builtin_call(struct host_run *h, const struct ir_expr *e)
{
    const struct ir_call *c = &e->call;
    const struct ir_expr *device = host_attr(c, "device");
    size_t n = c->args.len;
    struct host_value *args = arena_array(h->arena, struct host_value, n + 1);
    unsigned *uses = arena_array(h->arena, unsigned, n + 1);
    int rank = 0;
    for (size_t i = 0; i < n; i++) {
        args[i] = host_eval(h, c->args.items[i]);
        uses[i] = HOST_READS | HOST_WRITES;
        if (!h->d->failed && args[i].kind != HOST_VIEW)
            host_error(h, c->args.items[i]->span, "expected a window");
        if (h->d->failed)
            return nothing;
    }
    if (h->rank >= 0 || !device) {
        host_error(h, e->span, "expected a dispatch from the host with device=RANK");
        return nothing;
    }
    if (!device_rank(h, device, &rank))
        return nothing;
    int blocks;
    const struct host_kernel *k =
        host_builtin_make(h, e, args, n, domain_size(h, args, n), &blocks);
    if (!k)
        return nothing;
    dispatch_begin(h, rank, e->span, args, uses, n);
    host_extents extents = extents_of(h, args, uses, n);
    struct host_task t = {.name = c->name,
                          .func = k->func,
                          .program = k->program,
                          .builtin = true,
                          .at = e->span,
                          .blocks = blocks,
                          .args = args,
                          .nargs = (int)n};
    if (!h->d->failed)
        launch(h, t, &extents);
    dispatch_end(h);
    return nothing;
}
