/* SPDX-License-Identifier: MIT */
/* The interpreter of host and chip orchestrators: variables, statements, domains, the layout. */
#include "codegen/host/host.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/strbuf.h"
#include "codegen/internal.h"
#include "passes/group_dispatch.h"
#include "codegen/host/host_internal.h"
#include "passes/rewrite.h"

static const struct host_value nothing = {.kind = HOST_VOID};

bool host_error(struct host_run *h, struct span at, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    diag_verror(h->d, h->prog->source, at, fmt, ap);
    va_end(ap);
    return false;
}

/* ---- variables ---- */

static void host_bind(struct host_run *h, struct host_frame *f, const struct ir_var *v,
                      struct host_value value)
{
    struct host_value *bound = map_get(&f->values, v);
    if (bound) {
        *bound = value;
        return;
    }
    f->values.arena = h->arena;
    map_put(&f->values, v, arena_dup(h->arena, &value, sizeof value));
}

const struct host_value *host_find(const struct host_run *h, const struct ir_var *v)
{
    const struct host_value *found = map_get(&h->frame->values, v);
    return found ? found : map_get(&h->globals.values, v);
}

static bool bind_all(struct host_run *h, const ir_vars *vars, const struct host_value *values,
                     size_t n, struct span at)
{
    if (vars->len != n)
        return host_error(h, at, "expected %zu values, not %zu", vars->len, n);
    for (size_t i = 0; i < n; i++)
        host_bind(h, h->frame, vars->items[i], values[i]);
    return true;
}

static struct host_value *eval_all(struct host_run *h, const ir_exprs *list)
{
    struct host_value *values = arena_array(h->arena, struct host_value, list->len + 1);
    for (size_t i = 0; i < list->len && !h->d->failed; i++)
        values[i] = host_eval(h, list->items[i]);
    return values;
}

/* ---- statements ---- */

enum flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_ERROR };

static enum flow run_block(struct host_run *h, const ir_block *block);

static enum flow run_assign(struct host_run *h, const struct ir_stmt *s)
{
    const ir_vars *to = &s->assign.targets;
    const struct ir_expr *e = s->assign.value;
    bool alloc = e->kind == IR_CALL && e->call.callee == IR_CALLEE_OP &&
                 !strcmp(e->call.name, "pld.tensor.alloc_window_buffer");
    struct host_value v = alloc ? host_alloc(h, e, to->items[0]) : host_eval(h, e);
    if (h->d->failed)
        return FLOW_ERROR;
    if (to->len == 1) {
        host_bind(h, h->frame, to->items[0], v);
        return FLOW_NEXT;
    }
    if (v.kind != HOST_TUPLE)
        return host_error(h, s->span, "expected a tuple of %zu values", to->len), FLOW_ERROR;
    return bind_all(h, to, v.items, v.nitems, s->span) ? FLOW_NEXT : FLOW_ERROR;
}

static bool truth(struct host_run *h, const struct ir_expr *e, bool *out)
{
    int64_t v = 0;
    bool ok = host_int(h, e, "a condition", &v);
    *out = v != 0;
    return ok;
}

static enum flow run_if(struct host_run *h, const struct ir_stmt *s)
{
    bool yes;
    if (!truth(h, s->if_.cond, &yes))
        return FLOW_ERROR;
    const ir_vars *outer = h->frame->yield_to;
    if (s->if_.results.len)
        h->frame->yield_to = &s->if_.results;
    enum flow f = run_block(h, yes ? &s->if_.then_body : &s->if_.else_body);
    h->frame->yield_to = outer;
    return f;
}

/* One turn of a loop; what its yield gives becomes what the loop carries. */
static enum flow run_turn(struct host_run *h, const ir_block *body, const ir_vars *carried)
{
    const ir_vars *outer = h->frame->yield_to;
    h->frame->yield_to = carried->len ? carried : NULL;
    enum flow f = run_block(h, body);
    h->frame->yield_to = outer;
    return f == FLOW_CONTINUE ? FLOW_NEXT : f;
}

static enum flow finish_loop(struct host_run *h, enum flow f, const ir_vars *results,
                             const ir_vars *carried, struct span at)
{
    if (f != FLOW_NEXT && f != FLOW_BREAK)
        return f;
    if (results->len && results->len != carried->len)
        return host_error(h, at, "the loop carries %zu values and yields %zu", carried->len,
                          results->len),
               FLOW_ERROR;
    for (size_t i = 0; i < results->len; i++)
        host_bind(h, h->frame, results->items[i], *host_find(h, carried->items[i]));
    return FLOW_NEXT;
}

static bool count_statement(struct host_run *h, struct span at)
{
    return ++h->statements <= HOST_MAX_STATEMENTS ||
           host_error(h, at, "the host program does not end within %d statements",
                      HOST_MAX_STATEMENTS);
}

static enum flow run_for(struct host_run *h, const struct ir_stmt *s)
{
    int64_t start = 0, stop = 0, step = 0;
    if (!host_int(h, s->for_.start, "a loop bound", &start) ||
        !host_int(h, s->for_.stop, "a loop bound", &stop) ||
        !host_int(h, s->for_.step, "the step of a loop", &step))
        return FLOW_ERROR;
    if (step == 0)
        return host_error(h, s->for_.step->span, "the step of a loop must not be 0"), FLOW_ERROR;
    struct host_value *inits = eval_all(h, &s->for_.inits);
    if (h->d->failed || !bind_all(h, &s->for_.iter_args, inits, s->for_.inits.len, s->span))
        return FLOW_ERROR;
    enum flow f = FLOW_NEXT;
    int outer = h->group;
    if (h->rank < 0 && group_dispatch_is_marked(s) && h->group < 0)
        h->group = h->plan->nsteps++;
    bool over = false;
    for (int64_t i = start; f == FLOW_NEXT && !over && (step > 0 ? i < stop : i > stop);
         over = __builtin_add_overflow(i, step, &i)) {
        if (!count_statement(h, s->span))
            return FLOW_ERROR;
        host_bind(h, h->frame, s->for_.var, (struct host_value){.kind = HOST_INT, .number = i});
        f = run_turn(h, &s->for_.body, &s->for_.iter_args);
    }
    h->group = outer;
    return finish_loop(h, f, &s->for_.results, &s->for_.iter_args, s->span);
}

static enum flow run_while(struct host_run *h, const struct ir_stmt *s)
{
    struct host_value *inits = eval_all(h, &s->while_.inits);
    bool more = true;
    if (h->d->failed || !bind_all(h, &s->while_.iter_args, inits, s->while_.inits.len, s->span))
        return FLOW_ERROR;
    enum flow f = FLOW_NEXT;
    while (f == FLOW_NEXT) {
        if (!count_statement(h, s->span) || !truth(h, s->while_.cond, &more))
            return FLOW_ERROR;
        if (!more)
            break;
        f = run_turn(h, &s->while_.body, &s->while_.iter_args);
    }
    return finish_loop(h, f, &s->while_.results, &s->while_.iter_args, s->span);
}

static enum flow run_return(struct host_run *h, const struct ir_stmt *s)
{
    size_t n = s->return_.values.len;
    struct host_value *values = eval_all(h, &s->return_.values);
    if (h->d->failed)
        return FLOW_ERROR;
    if (n == 1)
        h->frame->returned = values[0];
    else if (n > 1)
        h->frame->returned = (struct host_value){.kind = HOST_TUPLE, .items = values, .nitems = n};
    return FLOW_RETURN;
}

/* ---- comm domains ---- */

static bool add_device(struct host_run *h, struct host_domain *d, int64_t device, struct span at)
{
    if (device < 0 || device >= h->opt->nranks)
        return host_error(h, at, "'%s' names device %" PRId64 ", but there are %d ranks", d->name,
                          device, h->opt->nranks);
    if (d->ndevices && device <= d->devices[d->ndevices - 1])
        return host_error(h, at, "the devices of a domain must ascend");
    d->devices[d->ndevices++] = (int)device;
    return true;
}

/* No devices, or the text "all": every rank. */
static bool read_devices(struct host_run *h, const struct ir_expr *list, struct host_domain *d)
{
    bool listed = list && (list->kind == IR_LIST || list->kind == IR_TUPLE) && list->items.len;
    for (size_t i = 0; listed && i < list->items.len; i++) {
        int64_t device = 0;
        if (!host_int(h, list->items.items[i], "a device", &device) ||
            !add_device(h, d, device, list->items.items[i]->span))
            return false;
    }
    for (int r = 0; !listed && r < h->opt->nranks; r++)
        d->devices[d->ndevices++] = r;
    return true;
}

static bool open_domain(struct host_run *h, const struct ir_stmt *s)
{
    const struct ir_call *c = &s->scope.call->call;
    const struct ir_expr *name = ir_kwarg_find(&c->kwargs, "name"),
                         *slots = ir_kwarg_find(&c->kwargs, "slots");
    int index = (int)h->plan->domains.len;
    struct host_domain d = {.name = name && name->kind == IR_STRING
                                        ? name->string
                                        : arena_printf(h->arena, "comm_d%d", index)};
    if (index >= 64)
        return host_error(h, s->span, "a program has 64 comm domains at the most");
    if (!read_devices(h, ir_kwarg_find(&c->kwargs, "devices"), &d))
        return false;
    vec_push(h->arena, &h->plan->domains, d);
    for (size_t i = 0; slots && i < slots->items.len; i++) {
        const struct ir_expr *slot = slots->items.items[i];
        const struct ir_window_buffer *w = slot->type ? slot->type->window : NULL;
        if (!w || !w->base)
            return host_error(h, slot->span, "this slot has no allocation");
        struct host_object o = {.name = w->base->shown, .domain = index, .output = true};
        struct host_slot open = {w->base, host_object_add(h, o)};
        vec_push(h->arena, &h->slots, open);
    }
    return true;
}

/* Scopes whose bodies the compiler makes functions of that run at once: pl.spmd launches the one
 * call that it holds in blocks; pl.cluster is a Group, of which one with one call is that call. */
static bool open_launch(struct host_run *h, const struct ir_stmt *s)
{
    const struct ir_expr *call = s->scope.call;
    bool spmd = !strcmp(call->call.name, "spmd"), cluster = !strcmp(call->call.name, "cluster");
    int64_t blocks = h->blocks;
    if (s->scope.lanes)
        return host_error(h, s->span,
                          "the body of pl.%s runs on several cores at once, as a function of its "
                          "own: write that as an InCore function, and launch it",
                          call->call.name);
    if ((spmd || cluster) && s->scope.body.len != 1)
        return host_error(h, call->span,
                          "what pl.%s holds runs at once: it must be one call, of a Group where "
                          "the lanes of a cluster work together",
                          call->call.name);
    if (spmd && call->call.args.len == 1 &&
        !host_int(h, call->call.args.items[0], "the number of blocks", &blocks))
        return false;
    if (blocks < 1 || blocks > HOST_MAX_BLOCKS)
        return host_error(h, call->span, "expected 1 to %d blocks", HOST_MAX_BLOCKS);
    h->blocks = (int)blocks;
    return true;
}

/* pl.manual_scope(), or pl.scope(mode=pl.ScopeMode.MANUAL). */
static bool is_manual(const struct ir_stmt *s)
{
    const struct ir_call *c = s->scope.call ? &s->scope.call->call : NULL;
    const struct ir_expr *mode = c ? ir_kwarg_find(&c->kwargs, "mode") : NULL;
    return c && (!strcmp(c->name, "manual_scope") ||
                 (!strcmp(c->name, "scope") && mode && mode->kind == IR_NAME &&
                  strstr(mode->name, "MANUAL")));
}

static enum flow run_scope(struct host_run *h, const struct ir_stmt *s)
{
    size_t outer = h->slots.len;
    int blocks = h->blocks;
    bool manual = h->manual;
    bool domain = ir_is_comm_domain(s);
    if (domain ? !open_domain(h, s) : s->scope.call && !open_launch(h, s))
        return FLOW_ERROR;
    h->manual |= is_manual(s);
    enum flow f = run_block(h, &s->scope.body);
    h->slots.len = outer;
    h->blocks = blocks;
    h->manual = manual;
    return f;
}

static enum flow run_yield(struct host_run *h, const struct ir_stmt *s)
{
    struct host_value *values = eval_all(h, &s->yield.values);
    if (h->d->failed)
        return FLOW_ERROR;
    if (!h->frame->yield_to)
        return host_error(h, s->span, "nothing takes the values yielded here"), FLOW_ERROR;
    bool ok = bind_all(h, h->frame->yield_to, values, s->yield.values.len, s->span);
    return ok ? FLOW_NEXT : FLOW_ERROR;
}

static enum flow run_stmt(struct host_run *h, const struct ir_stmt *s)
{
    switch (s->kind) {
    case IR_ASSIGN:
        return run_assign(h, s);
    case IR_EVAL:
        host_eval(h, s->eval);
        return h->d->failed ? FLOW_ERROR : FLOW_NEXT;
    case IR_IF:
        return run_if(h, s);
    case IR_FOR:
        return run_for(h, s);
    case IR_WHILE:
        return run_while(h, s);
    case IR_YIELD:
        return run_yield(h, s);
    case IR_RETURN:
        return run_return(h, s);
    case IR_BREAK:
        return FLOW_BREAK;
    case IR_CONTINUE:
        return FLOW_CONTINUE;
    default:
        return run_scope(h, s);
    }
}

static enum flow run_block(struct host_run *h, const ir_block *block)
{
    enum flow f = FLOW_NEXT;
    for (size_t i = 0; i < block->len && f == FLOW_NEXT; i++)
        f = count_statement(h, block->items[i]->span) ? run_stmt(h, block->items[i]) : FLOW_ERROR;
    return f;
}

bool host_function(struct host_run *h, const struct ir_func *f, const struct host_value *args,
                   size_t nargs, struct span at, struct host_value *out)
{
    *out = nothing;
    if (h->depth == HOST_MAX_CALLS)
        return host_error(h, at, "calls are nested more than %d deep", HOST_MAX_CALLS);
    if (nargs != f->params.len)
        return host_error(h, at, "'%s' takes %zu arguments, not %zu", f->name, f->params.len,
                          nargs);
    struct host_frame frame = {.outer = h->frame};
    for (size_t i = 0; i < nargs; i++)
        host_bind(h, &frame, f->params.items[i].var, args[i]);
    h->frame = &frame;
    h->depth++;
    run_block(h, &f->body);
    h->depth--;
    h->frame = frame.outer;
    *out = frame.returned;
    return !h->d->failed;
}

/* ---- the entry and its parameters ---- */

const struct ir_func *host_entry(const struct ir_program *p, struct diag *d)
{
    const struct ir_func *entry = NULL;
    vec_foreach (struct ir_func *, f, &p->funcs) {
        if (!ir_func_is_host_orchestrator(*f) ||
            pass_is_called(p, *f, ir_func_is_host_orchestrator))
            continue;
        if (entry) {
            diag_error(d, p->source, (*f)->span,
                       "'%s' and '%s' are both HOST orchestrators that nothing calls: a program "
                       "starts with one",
                       entry->name, (*f)->name);
            return NULL;
        }
        entry = *f;
    }
    return entry;
}

/* What a name is bound to: the same on every rank, since there is one host. */
static bool bind_scalar(struct host_run *h, struct host_frame *f, const struct ir_var *v,
                        bool *found)
{
    const struct binding *b = codegen_binding(h->dir, h->opt, v->shown);
    struct host_value value = {.kind = HOST_INT, .number = h->opt->nranks};
    *found = b || ir_name_counts_ranks(v->shown);
    for (int r = 0; b && r < h->opt->nranks; r++) {
        int64_t here = 0;
        if (!binding_eval(h->arena, b, r, h->opt->nranks, &here, h->d))
            return false;
        if (r > 0 && here != value.number)
            return diag_error(h->d, b->source, (struct span){b->line, b->col, (int)strlen(b->expr)},
                              "'%s' belongs to the host: it must be the same on every rank",
                              v->shown);
        value.number = here;
    }
    if (*found)
        host_bind(h, f, v, value);
    return true;
}

static bool bind_globals(struct host_run *h)
{
    bool found;
    h->frame = &h->globals;
    vec_foreach (struct ir_global, g, &h->prog->globals) {
        if (!bind_scalar(h, &h->globals, g->var, &found))
            return false;
    }
    vec_foreach (struct ir_var *, v, &h->prog->implicit_symbols)
        if (!bind_scalar(h, &h->globals, *v, &found))
            return false;
    return !h->d->failed;
}

bool host_param_tensor(struct host_run *h, const struct ir_param *p, int domain,
                       struct host_value *out)
{
    const struct ir_type *t = p->var->type;
    struct host_view v = {0};
    struct ir_expr shape = {.kind = IR_TUPLE, .span = p->var->span, .items = t->shape};
    if (!host_elem(h, t->dtype, p->var->span, &v.elem) || !host_shape(h, &shape, &v))
        return false;
    bool window = domain >= 0;
    struct host_object o = {.name = p->var->shown,
                            .domain = domain,
                            .elem = v.elem,
                            .grain = elem_size(v.elem),
                            .bytes = host_view_bytes(&v),
                            .allocated = true,
                            .input = !window && p->direction != IR_OUT,
                            .output = window || p->direction != IR_IN};
    *out = host_whole(host_object_add(h, o), &v);
    return true;
}

bool host_no_value(struct host_run *h, const struct ir_var *v)
{
    return host_error(h, v->span,
                      "no value for the parameter '%s'; give --arg %s=EXPRESSION or a line '# "
                      "fencebench: arg %s=EXPRESSION'",
                      v->shown, v->shown, v->shown);
}

static bool param_value(struct host_run *h, const struct ir_param *p, struct host_value *out)
{
    const struct ir_type *t = p->var->type;
    bool found = false;
    if (t && t->kind == IR_TYPE_TENSOR)
        return host_param_tensor(h, p, -1, out);
    if (!t || t->kind != IR_TYPE_SCALAR)
        return host_error(h, p->var->span, "the host's parameter '%s' is no tensor and no scalar",
                          p->var->shown);
    if (!bind_scalar(h, &h->globals, p->var, &found))
        return false;
    if (!found)
        return host_no_value(h, p->var);
    *out = *host_find(h, p->var);
    return true;
}

/* The host runs once, on the values of its parameters. */
static bool run_host(struct host_run *h, const struct ir_func *entry)
{
    struct host_value *args = arena_array(h->arena, struct host_value, entry->params.len + 1),
                      returned;
    for (size_t i = 0; i < entry->params.len; i++)
        if (!param_value(h, &entry->params.items[i], &args[i]))
            return false;
    return host_function(h, entry, args, entry->params.len, entry->span, &returned);
}

/* Every --arg must name something that is there. */
static bool known_args(struct host_run *h, const struct ir_func *entry)
{
    for (size_t i = 0; i < h->opt->nargs; i++) {
        const struct binding *b = &h->opt->args[i];
        bool known = false;
        vec_foreach (struct ir_param, p, &entry->params)
            known |= !strcmp(p->var->shown, b->name);
        known |= ir_find_constant(h->prog, b->name) != NULL;
        vec_foreach (struct ir_global, g, &h->prog->globals)
            known |= !strcmp(g->var->shown, b->name);
        vec_foreach (struct ir_var *, v, &h->prog->implicit_symbols)
            known |= !strcmp((*v)->name, b->name);
        if (!known)
            return diag_error(h->d, b->source, (struct span){1, 1, (int)strlen(b->name)},
                              "the host program has no parameter or constant '%s'", b->name);
    }
    return true;
}

/* ---- layout ---- */

static void lay_out(struct host_run *h)
{
    uint64_t at = 0, align = (uint64_t)h->opt->window_align;
    int domain = -1;
    if (!align)
        align = h->opt->toolchain->window_align == WINDOWS_AT_32 ? 32 : 64;
    vec_foreach (struct host_object, o, &h->plan->objects) {
        if (o->domain < 0)
            continue;
        at = align_up(at, o->domain == domain ? align : CACHE_LINE);
        domain = o->domain;
        o->offset = at;
        at += (uint64_t)o->bytes;
    }
    vec_foreach (struct host_object, o, &h->plan->objects) {
        if (o->domain >= 0)
            continue;
        at = align_up(at, CACHE_LINE);
        o->offset = at;
        at += (uint64_t)o->bytes;
    }
    h->plan->bytes = align_up(at, CACHE_LINE);
}

struct host_plan *host_plan_make(struct arena *a, const struct ir_program *p,
                                 const struct ir_func *entry, const struct directives *dir,
                                 const struct codegen_options *o, struct diag *d)
{
    struct host_run h = {.arena = a,
                         .prog = p,
                         .dir = dir,
                         .opt = o,
                         .d = d,
                         .rank = -1,
                         .dispatch = -1,
                         .group = -1,
                         .blocks = 1,
                         .cores = o->cores_per_rank > 0 ? o->cores_per_rank : 1};
    h.plan = arena_new(a, struct host_plan);
    h.plan->nranks = o->nranks;
    h.plan->clustered = lanes_have_clusters(p);
    h.plan->cores_per_rank = h.plan->clustered ? 0 : h.cores;
    if (!bind_globals(&h) || !known_args(&h, entry) ||
        !(ir_func_is_host_orchestrator(entry) ? run_host(&h, entry) : host_run_chips(&h, entry)))
        return NULL;
    if (!h.plan->tasks.len) {
        host_error(&h, entry->span, "the host program dispatches nothing with %d ranks", o->nranks);
        return NULL;
    }
    lay_out(&h);
    return host_place_strands(&h) ? h.plan : NULL;
}

/* ---- text ---- */

static void print_domains(struct strbuf *b, const struct host_plan *plan)
{
    vec_foreach (const struct host_domain, d, &plan->domains) {
        strbuf_addf(b, "domain %s: ranks", d->name);
        for (int i = 0; i < d->ndevices; i++)
            strbuf_addf(b, " %d", d->devices[i]);
        strbuf_add(b, "\n");
    }
    for (int tensors = 0; tensors < 2; tensors++) /* as they lie in memory */
        vec_foreach (const struct host_object, o, &plan->objects)
            if ((o->domain < 0) == tensors)
                strbuf_addf(b, "%s %s: %" PRIu64 ", %" PRId64 " bytes\n",
                            tensors ? "tensor" : plan->domains.items[o->domain].name, o->name,
                            o->offset, o->bytes);
}

static void print_arg(struct strbuf *b, const struct host_plan *plan, const struct host_value *v)
{
    const struct host_object *o;
    switch (v->kind) {
    case HOST_INT:
        strbuf_addf(b, "%" PRId64, v->number);
        return;
    case HOST_FLOAT:
        strbuf_addf(b, "%g", v->real);
        return;
    case HOST_CTX:
        strbuf_addf(b, "%s", plan->domains.items[v->number].name);
        return;
    case HOST_VIEW:
        o = &plan->objects.items[v->view.object];
        strbuf_addf(b, "%s", o->name);
        if (v->view.at)
            strbuf_addf(b, "+%" PRId64, v->view.at);
        for (int i = 0; i < v->view.ndims; i++)
            strbuf_addf(b, "%s%" PRId64, i ? "," : "[", v->view.shape[i]);
        strbuf_add(b, "]");
        return;
    default:
        strbuf_add(b, "-");
    }
}

static const char *core_name(const struct host_plan *plan, const struct host_task *t,
                             struct arena *a)
{
    struct core_desc core = {.rank = t->rank, .index = t->core};
    if (plan->clustered) {
        core.lane = plan->places.items[t->core].lane;
        core.cluster = plan->places.items[t->core].cluster;
    }
    return plan->cores_per_rank > 1 && !plan->clustered ? arena_printf(a, "%d.%d", t->rank, t->core)
                                                        : core_desc_name(&core, a);
}

char *host_plan_print(const struct host_plan *plan, struct arena *a)
{
    struct strbuf b = strbuf_make(a);
    print_domains(&b, plan);
    for (size_t i = 0; i < plan->tasks.len; i++) {
        const struct host_task *t = &plan->tasks.items[i];
        strbuf_addf(&b, "task %zu: rank %s", i, core_name(plan, t, a));
        strbuf_addf(&b, ", step %d: %s(", t->step, t->name);
        for (int k = 0; k < t->nargs; k++) {
            strbuf_add(&b, k ? ", " : "");
            print_arg(&b, plan, &t->args[k]);
        }
        strbuf_add(&b, ")");
        if (t->blocks > 1)
            strbuf_addf(&b, " block %d of %d", t->block, t->blocks);
        for (size_t k = 0; k < t->after.len; k++)
            strbuf_addf(&b, "%s%d", k ? ", " : " after ", t->after.items[k]);
        strbuf_add(&b, "\n");
    }
    return b.text;
}
