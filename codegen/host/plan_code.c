/* SPDX-License-Identifier: MIT */
/*
 * The plan of a host program as a machine program. A kernel becomes code once for all tasks whose
 * arguments are alike but for addresses and scalars: these are registers. A task's argument
 * registers hold, in this order: one value per parameter, the context's address for each window
 * among them, for a launch of several blocks the block's index and their number, the number of the
 * vector core where two share the task, and the addresses of the launch's pipes.
 */
#include <inttypes.h>
#include <string.h>

#include "codegen/internal.h"
#include "codegen/host/host.h"

/* The pipes of a launch, the same in all launches of a Group: these take the same clusters. */
struct launch_pipes {
    const struct ir_func *launch;
    struct pipes *pipes; /* or NULL */
    int first, end;      /* its regions */
};

/* Code of a kernel, made for a task and shared by those that are like it. */
struct instance {
    const struct host_task *like;
    int task; /* index of its name; of its I_TASK */
    int first_reg, nargs;
};

struct host_gen {
    struct gen g;
    const struct host_plan *plan;
    VEC(struct instance) instances;
    VEC(struct launch_pipes) pipes;
    int *instance_of;                    /* per task of the plan */
    VEC(const struct ir_func *) counted; /* kernels of builtins */
    VEC(const struct ir_var *) symbols;  /* bound for the instance in hand */
    uint64_t bytes;                      /* of memory on each rank */
};

/* ---- memory ---- */

static int ctx_region(const struct host_gen *h, int domain)
{
    return (int)h->plan->objects.len + domain;
}

static int peers_region(const struct host_gen *h, int domain)
{
    return (int)(h->plan->objects.len + h->plan->domains.len) + domain;
}

static void add_object(struct host_gen *h, const struct host_object *o)
{
    struct region r = {.name = o->name,
                       .kind = o->domain < 0 ? REGION_LOCAL : REGION_WINDOW,
                       .offset = o->offset,
                       .size = (uint64_t)o->bytes,
                       .elem = o->elem,
                       .uninitialised = o->domain < 0 && !o->input,
                       .output = o->output};
    vec_push(h->g.arena, &h->g.regions, r);
}

static const struct launch_pipes *pipes_of(const struct host_gen *h, const struct host_task *t)
{
    vec_foreach (const struct launch_pipes, p, &h->pipes)
        if (p->launch == t->launch)
            return p;
    return NULL;
}

static int most_blocks(const struct host_plan *plan, const struct ir_func *launch)
{
    int blocks = 1;
    vec_foreach (const struct host_task, t, &plan->tasks)
        if (t->launch == launch && t->blocks > blocks)
            blocks = t->blocks;
    return blocks;
}

/* Memory for the pipes of each launch, behind all else. */
static bool add_pipes(struct host_gen *h, uint64_t *at)
{
    vec_foreach (const struct host_task, t, &h->plan->tasks) {
        if (t->builtin || pipes_of(h, t))
            continue;
        struct launch_pipes p = {.launch = t->launch, .first = (int)h->g.regions.len};
        vec_foreach (const struct host_task, lane, &h->plan->tasks)
            if (lane->launch == t->launch &&
                !cross_find_pipes(&h->g, lane->func, t->launch->name,
                                  most_blocks(h->plan, t->launch), &p.pipes))
                return false;
        p.end = (int)h->g.regions.len;
        for (int i = p.first; i < p.end; i++) {
            h->g.regions.items[i].offset = *at = align_up(*at, CACHE_LINE);
            *at += h->g.regions.items[i].size;
        }
        vec_push(h->g.arena, &h->pipes, p);
    }
    return true;
}

static bool add_regions(struct host_gen *h)
{
    struct arena *a = h->g.arena;
    uint64_t at = h->plan->bytes;
    vec_foreach (const struct host_object, o, &h->plan->objects)
        add_object(h, o);
    for (size_t d = 0; d < h->plan->domains.len; d++) {
        uint64_t size = CTX_WINDOWS + 8 * (uint64_t)h->plan->domains.items[d].ndevices;
        struct region ctx = {.name = arena_printf(a, "%s_ctx", h->plan->domains.items[d].name),
                             .kind = REGION_CTX,
                             .offset = at,
                             .size = size,
                             .elem = ELEM_I64};
        vec_push(a, &h->g.regions, ctx);
        at = align_up(at + size, CACHE_LINE);
    }
    for (size_t d = 0; d < h->plan->domains.len; d++) {
        struct region array = h->g.regions.items[ctx_region(h, (int)d)];
        array.name = arena_printf(a, "%s.windows", array.name);
        array.offset += CTX_WINDOWS;
        array.size -= CTX_WINDOWS;
        vec_push(a, &h->g.regions, array);
    }
    return add_pipes(h, &at) &&
           build_memory_bytes(at, h->plan->nranks, h->g.prog->source, &h->bytes, h->g.d);
}

/* A tensor of the host starts alike on all ranks, one of a rank's own as in a file without a host. */
static void fill_object(const struct host_object *o, uint8_t *memory, int rank)
{
    uint64_t size = (uint64_t)elem_size(o->elem);
    if (o->domain >= 0)
        return; /* windows are zero when they are allocated */
    if (!o->input) {
        memset(memory + o->offset, UNINITIALISED_BYTE, (size_t)o->bytes);
        return;
    }
    for (uint64_t i = 0; i < (uint64_t)o->bytes / size; i++) {
        int64_t bits = build_pattern(o->elem, i, o->own ? rank : 0);
        memcpy(memory + o->offset + i * size, &bits, size);
    }
}

static uint64_t domain_base(const struct host_plan *plan, int domain)
{
    vec_foreach (const struct host_object, o, &plan->objects)
        if (o->domain == domain)
            return o->offset;
    return 0;
}

/* Ranks outside of a domain have no context of it. */
static void fill_contexts(const struct host_gen *h, uint8_t *memory, int rank)
{
    for (size_t d = 0; d < h->plan->domains.len; d++) {
        const struct host_domain *domain = &h->plan->domains.items[d];
        uint64_t bases[MAX_RANKS], base = domain_base(h->plan, (int)d);
        int place = -1;
        for (int i = 0; i < domain->ndevices; i++) {
            bases[i] = gm_addr(domain->devices[i], base);
            place = domain->devices[i] == rank ? i : place;
        }
        uint64_t at = h->g.regions.items[ctx_region(h, (int)d)].offset;
        if (place >= 0)
            build_fill_ctx(memory + at, place, domain->ndevices, bases);
    }
}

/* ---- instances ---- */

static bool same_view(const struct host_view *x, const struct host_view *y)
{
    bool same = x->object == y->object && x->elem == y->elem && x->ndims == y->ndims;
    for (int i = 0; same && i < x->ndims; i++)
        same = x->shape[i] == y->shape[i] && x->stride[i] == y->stride[i];
    return same;
}

static bool alike(const struct host_task *x, const struct host_task *y)
{
    bool same = x->func == y->func && x->launch == y->launch && (x->blocks > 1) == (y->blocks > 1);
    for (int i = 0; same && i < x->nargs; i++)
        same = x->args[i].kind == y->args[i].kind &&
               (x->args[i].kind != HOST_VIEW || same_view(&x->args[i].view, &y->args[i].view));
    return same;
}

static bool task_error(struct host_gen *h, const struct host_task *t, const struct ir_param *p,
                       const char *what)
{
    const struct ir_program *file = h->g.prog;
    return diag_error(h->g.d, file->source, t->at, "'%s': the argument for '%s' %s", t->name,
                      p->var->shown, what);
}

/* A dimension's name that only the arguments of a call decide. */
static bool is_symbol(const struct host_gen *h, const struct ir_var *v)
{
    if (codegen_binding(h->g.dir, h->g.opt, v->shown))
        return false;
    vec_foreach (struct ir_global, g, &h->g.prog->globals)
        if (g->var == v)
            return true;
    vec_foreach (struct ir_var *, s, &h->g.prog->implicit_symbols)
        if (*s == v)
            return true;
    return false;
}

static bool is_bound_symbol(const struct host_gen *h, const struct ir_var *v)
{
    vec_foreach (const struct ir_var *, s, &h->symbols)
        if (*s == v)
            return true;
    return false;
}

static bool is_known(const struct ir_expr *e, void *ctx)
{
    struct host_gen *h = ctx;
    return e->kind != IR_CALL && (e->kind != IR_VAR || gen_slot(&h->g, e->var)->bound);
}

/* Extent i of the parameter's type against the argument's. */
static bool match_extent(struct host_gen *h, const struct host_task *t, const struct ir_param *p,
                         int i, int64_t have)
{
    const struct ir_expr *e = p->var->type->shape.items[i];
    int64_t want = have;
    if (e->kind == IR_VAR && is_symbol(h, e->var) && !is_bound_symbol(h, e->var)) {
        struct value v = {.kind = VAL_INT, .op = imm_operand(have)};
        gen_bind(&h->g, e->var, v);
        vec_push(h->g.arena, &h->symbols, (const struct ir_var *)e->var);
        return true;
    }
    if (!ir_walk_expr(e, is_known, h))
        return true;
    if (!gen_const(&h->g, e, "the extent of a tensor", &want))
        return false;
    return want == have ||
           task_error(h, t, p,
                      arena_printf(h->g.arena,
                                   "has extent %" PRId64 " in dimension %d, the parameter %" PRId64,
                                   have, i, want));
}

static bool is_dense(const struct host_view *v)
{
    int64_t step = 1;
    for (int i = v->ndims - 1; i >= 0; step *= v->shape[i--])
        if (v->shape[i] != 1 && v->stride[i] != step)
            return false;
    return true;
}

static int64_t elements_of(const struct host_view *v)
{
    int64_t n = 1;
    for (int i = 0; i < v->ndims; i++)
        n *= v->shape[i];
    return n;
}

/* An argument of another rank is its address: its elements lie as the parameter says
 * (pypto-front-facts 2.7). */
static bool as_parameter(struct host_gen *h, const struct host_task *t, const struct ir_param *p,
                         const struct host_view *v, struct host_view *out)
{
    const ir_exprs *shape = &p->var->type->shape;
    bool known = shape->len > 0 && shape->len <= HOST_MAX_DIMS && is_dense(v);
    vec_foreach (struct ir_expr *, e, shape)
        known &= ir_walk_expr(*e, is_known, h);
    if (!known)
        return task_error(
            h, t, p,
            arena_printf(h->g.arena, "has %d dimensions, the parameter %zu", v->ndims, shape->len));
    *out = *v;
    out->ndims = (int)shape->len;
    int64_t step = 1;
    for (int i = out->ndims - 1; i >= 0; step *= out->shape[i--]) {
        out->stride[i] = step;
        if (!gen_const(&h->g, shape->items[i], "the extent of a tensor", &out->shape[i]))
            return false;
    }
    return elements_of(out) <= elements_of(v) ||
           task_error(h, t, p,
                      arena_printf(h->g.arena, "has %" PRId64 " elements, the parameter %" PRId64,
                                   elements_of(v), elements_of(out)));
}

static bool bind_view(struct host_gen *h, const struct host_task *t, const struct ir_param *p,
                      const struct host_view *given, int reg, int ctx_reg)
{
    struct host_view view = *given, *v = &view;
    const struct ir_type *type = p->var->type;
    enum elem elem;
    if (!ir_type_is_tensor_like(type))
        return task_error(h, t, p, "is a tensor, the parameter is none");
    if (!elem_of_dtype(type->dtype, &elem) || elem != v->elem)
        return task_error(h, t, p, "has another element type");
    if ((int)type->shape.len != v->ndims && !as_parameter(h, t, p, given, v))
        return false;
    int domain = h->plan->objects.items[v->object].domain;
    struct tensor *tensor = arena_new(h->g.arena, struct tensor);
    *tensor = (struct tensor){.region = v->object,
                              .root = t->builtin ? NO_REG : reg,
                              .base = reg_operand(reg),
                              .ndims = v->ndims,
                              .elem = elem,
                              .ctx = domain < 0 ? NO_REG : ctx_reg,
                              .peers = domain < 0 ? -1 : peers_region(h, domain)};
    for (int i = 0; i < v->ndims; i++) {
        if (!match_extent(h, t, p, i, v->shape[i]))
            return false;
        tensor->shape[i] = v->shape[i];
        tensor->stride[i] = v->stride[i];
    }
    if (!gen_layout(&h->g, type, p->var->span, tensor))
        return false;
    gen_bind(&h->g, p->var, (struct value){.kind = VAL_TENSOR, .tensor = tensor});
    return true;
}

static bool float_param(const struct ir_param *p)
{
    return p->var->type && ir_dtype_is_float(p->var->type->dtype);
}

static bool bind_scalar(struct host_gen *h, const struct host_task *t, const struct ir_param *p,
                        const struct host_value *v, int reg)
{
    enum ir_type_kind kind = p->var->type ? p->var->type->kind : IR_TYPE_UNKNOWN;
    bool ctx = v->kind == HOST_CTX;
    if (v->kind != HOST_CTX && v->kind != HOST_INT && v->kind != HOST_FLOAT)
        return task_error(h, t, p, "is no tensor, scalar or context");
    if (kind != (ctx ? IR_TYPE_COMM_CTX : IR_TYPE_SCALAR))
        return task_error(h, t, p,
                          ctx ? "is a context, the parameter is none"
                              : "is a scalar, the parameter is none");
    if (!ctx && v->kind == HOST_FLOAT && !float_param(p))
        return task_error(h, t, p, "is a float, the parameter an integer");
    enum value_kind as = ctx ? VAL_CTX : float_param(p) ? VAL_FLOAT : VAL_INT;
    gen_bind(&h->g, p->var, (struct value){.kind = as, .op = reg_operand(reg)});
    return true;
}

static bool is_window(const struct host_plan *plan, const struct host_value *v)
{
    return v->kind == HOST_VIEW && plan->objects.items[v->view.object].domain >= 0;
}

static bool bind_args(struct host_gen *h, const struct host_task *t, struct instance *in)
{
    struct gen *g = &h->g;
    int n = t->nargs, regs[n + 1], ctx[n + 1];
    in->first_reg = (int)g->reg_names.len;
    for (int i = 0; i < n; i++)
        regs[i] = gen_reg(g, t->func->params.items[i].var->shown);
    for (int i = 0; i < n; i++)
        ctx[i] =
            is_window(h->plan, &t->args[i])
                ? gen_reg(g, arena_printf(g->arena, "%s_ctx", t->func->params.items[i].var->shown))
                : NO_REG;
    g->block_index = t->blocks > 1 ? reg_operand(gen_reg(g, "block_idx")) : imm_operand(0);
    g->block_count = t->blocks > 1 ? reg_operand(gen_reg(g, "block_num")) : imm_operand(1);
    g->lane_index = lanes_is_dual(t->func) ? reg_operand(gen_reg(g, "lane")) : imm_operand(0);
    const struct launch_pipes *pipes = pipes_of(h, t);
    g->pipes = pipes ? pipes->pipes : NULL;
    for (int i = pipes ? pipes->first : 0; pipes && i < pipes->end; i++) {
        int reg = gen_reg(g, g->regions.items[i].name);
        g->pipe_pointers = i == pipes->first ? reg - i : g->pipe_pointers;
    }
    in->nargs = (int)g->reg_names.len - in->first_reg;
    for (int i = 0; i < n; i++) {
        const struct ir_param *p = &t->func->params.items[i];
        bool ok = t->args[i].kind == HOST_VIEW
                      ? bind_view(h, t, p, &t->args[i].view, regs[i], ctx[i])
                      : bind_scalar(h, t, p, &t->args[i], regs[i]);
        if (!ok)
            return false;
    }
    return true;
}

static void count_builtin(struct host_gen *h, const struct ir_func *f)
{
    vec_foreach (const struct ir_func *, c, &h->counted)
        if (*c == f)
            return;
    vec_push(h->g.arena, &h->counted, f);
    gen_count(&h->g, f);
}

/* Symbols that took their value from the arguments have none before the next instance. */
static void release_symbols(struct host_gen *h)
{
    vec_foreach (const struct ir_var *, v, &h->symbols)
        gen_slot(&h->g, *v)->bound = false;
    h->symbols.len = 0;
}

static bool make_instance(struct host_gen *h, const struct host_task *t)
{
    struct gen *g = &h->g;
    struct instance in = {.like = t, .task = (int)g->tasks.len};
    const struct ir_program *file = g->prog;
    if (t->builtin)
        count_builtin(h, t->func);
    gen_forget(g, t->func);
    if (!bind_args(h, t, &in))
        return false;
    g->prog = t->program;
    g->library = t->builtin ? t->name : NULL;
    g->pinned = t->builtin ? &t->at : NULL;
    bool ok = gen_task(g, t->func);
    gen_simple(g, I_END);
    g->prog = file;
    g->library = NULL;
    g->pinned = NULL;
    release_symbols(h);
    vec_push(g->arena, &h->instances, in);
    return ok;
}

static bool make_instances(struct host_gen *h)
{
    h->instance_of = arena_array(h->g.arena, int, h->plan->tasks.len);
    for (size_t i = 0; i < h->plan->tasks.len; i++) {
        const struct host_task *t = &h->plan->tasks.items[i];
        size_t k = 0;
        while (k < h->instances.len && !alike(h->instances.items[k].like, t))
            k++;
        if (k == h->instances.len && !make_instance(h, t))
            return false;
        h->instance_of[i] = (int)k;
    }
    return true;
}

/* ---- tasks of the cores ---- */

static int64_t address(const struct host_gen *h, int rank, int region, int64_t at)
{
    return (int64_t)gm_addr(rank, h->g.regions.items[region].offset + (uint64_t)at);
}

static int64_t arg_bits(const struct host_gen *h, const struct host_task *t, int i)
{
    const struct host_value *v = &t->args[i];
    float real = v->kind == HOST_FLOAT ? (float)v->real : (float)v->number;
    uint32_t bits;
    memcpy(&bits, &real, sizeof bits);
    if (v->kind == HOST_VIEW)
        return address(h, t->rank, v->view.object, v->view.at);
    if (v->kind == HOST_CTX)
        return address(h, t->rank, ctx_region(h, (int)v->number), 0);
    return float_param(&t->func->params.items[i]) ? (int64_t)bits : v->number;
}

static const int64_t *task_args(const struct host_gen *h, const struct host_task *t, int nargs)
{
    int64_t *args = arena_array(h->g.arena, int64_t, (size_t)nargs + 1);
    int n = 0;
    for (int i = 0; i < t->nargs; i++)
        args[n++] = arg_bits(h, t, i);
    for (int i = 0; i < t->nargs; i++)
        if (is_window(h->plan, &t->args[i]))
            args[n++] =
                address(h, t->rank,
                        ctx_region(h, h->plan->objects.items[t->args[i].view.object].domain), 0);
    if (t->blocks > 1) {
        args[n++] = t->block;
        args[n++] = t->blocks;
    }
    if (lanes_is_dual(t->func))
        args[n++] = t->vector;
    const struct launch_pipes *pipes = pipes_of(h, t);
    for (int i = pipes ? pipes->first : 0; pipes && i < pipes->end; i++)
        args[n++] = address(h, t->rank, i, 0);
    return args;
}

static int core_of(const struct host_plan *plan, const struct host_task *t)
{
    return t->rank * plan->cores_per_rank + t->core;
}

/* Tasks of the own core have ended anyway. */
static void set_waits(const struct host_gen *h, const struct host_task *t, struct dispatch *d)
{
    struct task_ref *after = arena_array(h->g.arena, struct task_ref, t->after.len + 1);
    vec_foreach (const int, before, &t->after) {
        const struct host_task *b = &h->plan->tasks.items[*before];
        if (core_of(h->plan, b) != core_of(h->plan, t))
            after[d->nafter++] = (struct task_ref){core_of(h->plan, b), b->index};
    }
    d->after = after;
}

static void add_dispatches(const struct host_gen *h, struct program *p, const int *entries)
{
    struct dispatch **lists = arena_array(h->g.arena, struct dispatch *, (size_t)p->ncores);
    for (int c = 0; c < p->ncores; c++) {
        lists[c] = arena_array(h->g.arena, struct dispatch, h->plan->tasks.len + 1);
        p->cores[c].dispatches = lists[c];
    }
    for (size_t i = 0; i < h->plan->tasks.len; i++) {
        const struct host_task *t = &h->plan->tasks.items[i];
        const struct instance *in = &h->instances.items[h->instance_of[i]];
        int core = core_of(h->plan, t);
        struct dispatch *d = &lists[core][p->cores[core].ndispatches++];
        *d = (struct dispatch){.entry = entries[in->task],
                               .first_reg = in->first_reg,
                               .nargs = in->nargs,
                               .args = task_args(h, t, in->nargs),
                               .picked_late = t->picked_late,
                               .step = t->step};
        set_waits(h, t, d);
        for (int k = 0; k < d->nafter; k++)
            lists[d->after[k].core][d->after[k].index].awaited = true;
    }
}

/* ---- what runs, for who prints it ---- */

/* The tasks of one launch on a rank. */
struct task_group {
    int first, end; /* of the plan */
};
typedef VEC(struct task_group) task_groups;

static task_groups groups_of(const struct host_gen *h, int rank)
{
    task_groups out = {0};
    for (int i = 0; i < (int)h->plan->tasks.len; i++) {
        const struct host_task *t = &h->plan->tasks.items[i];
        if (t->rank != rank)
            continue;
        if (!out.len || (!t->lane && !t->block && !t->vector))
            vec_push(h->g.arena, &out, ((struct task_group){i, i}));
        out.items[out.len - 1].end = i + 1;
    }
    return out;
}

static int group_with(const task_groups *groups, int task)
{
    int i = 0;
    while (groups->items[i].end <= task)
        i++;
    return i;
}

static bool waits_for(const struct host_task *t, const task_groups *groups, int group)
{
    vec_foreach (const int, before, &t->after)
        if (group_with(groups, *before) == group)
            return true;
    return false;
}

static bool same_group(const struct host_gen *h, const task_groups *x, const task_groups *y, int k)
{
    const struct task_group *a = &x->items[k], *b = &y->items[k];
    bool same = a->end - a->first == b->end - b->first;
    for (int i = 0; same && i < a->end - a->first; i++) {
        const struct host_task *s = &h->plan->tasks.items[a->first + i],
                               *t = &h->plan->tasks.items[b->first + i];
        same = h->instance_of[a->first + i] == h->instance_of[b->first + i] &&
               s->blocks == t->blocks && s->block == t->block;
        for (int n = 0; same && n < s->nargs; n++)
            same = s->args[n].kind != HOST_CTX || s->args[n].number == t->args[n].number;
        for (int before = 0; same && before < k; before++)
            same = waits_for(s, x, before) == waits_for(t, y, before);
    }
    return same;
}

/* By rank: the argument's place in its object, or what it is. */
static const int64_t *start_values(const struct host_gen *h, const task_groups *groups, int k,
                                   int task, int arg)
{
    int64_t *values = arena_array(h->g.arena, int64_t, (size_t)h->plan->nranks);
    for (int r = 0; r < h->plan->nranks; r++) {
        const struct host_task *t = &h->plan->tasks.items[groups[r].items[k].first + task];
        bool view = t->args[arg].kind == HOST_VIEW;
        values[r] = view ? t->args[arg].view.at : arg_bits(h, t, arg);
    }
    return values;
}

static void add_start(struct host_gen *h, struct run_lane *lane, struct start s)
{
    const struct instance *in = &h->instances.items[h->instance_of[lane->task]];
    s.reg = in->first_reg + (int)lane->starts.len;
    if (!s.values)
        s.values = arena_array(h->g.arena, int64_t, (size_t)h->plan->nranks);
    vec_push(h->g.arena, &lane->starts, s);
}

/* As bind_args has them. lane->task is that of the plan; nth: among those of its launch. */
static void note_starts(struct host_gen *h, const task_groups *groups, int k, int nth,
                        struct run_lane *lane)
{
    const struct host_task *t = &h->plan->tasks.items[lane->task];
    for (int i = 0; i < t->nargs; i++) {
        const struct host_value *v = &t->args[i];
        struct start s = {.kind = v->kind == HOST_VIEW || v->kind == HOST_CTX ? START_POINTER
                                                                              : START_NUMBER,
                          .region = v->kind == HOST_VIEW ? v->view.object : -1,
                          .elem = float_param(&t->func->params.items[i]) ? ELEM_F32 : ELEM_I64};
        if (v->kind == HOST_CTX)
            s.region = ctx_region(h, (int)v->number);
        else
            s.values = start_values(h, groups, k, nth, i);
        add_start(h, lane, s);
    }
    for (int i = 0; i < t->nargs; i++)
        if (is_window(h->plan, &t->args[i]))
            add_start(
                h, lane,
                (struct start){.kind = START_POINTER,
                               .region = ctx_region(
                                   h, h->plan->objects.items[t->args[i].view.object].domain)});
    if (t->blocks > 1) {
        add_start(h, lane, (struct start){.kind = START_BLOCK});
        add_start(h, lane, (struct start){.kind = START_BLOCKS});
    }
    if (lanes_is_dual(t->func))
        add_start(h, lane, (struct start){.kind = START_VECTOR});
    const struct launch_pipes *pipes = pipes_of(h, t);
    for (int i = pipes ? pipes->first : 0; pipes && i < pipes->end; i++)
        add_start(h, lane, (struct start){.kind = START_POINTER, .region = i});
}

static void note_run(struct host_gen *h, const task_groups *groups, int k)
{
    const struct task_group *at = &groups[0].items[k];
    const struct host_task *first = &h->plan->tasks.items[at->first];
    struct task_run run = {.name = first->builtin ? first->name : first->launch->name,
                           .blocks = first->blocks,
                           .at = first->at};
    run.after = arena_array(h->g.arena, int, (size_t)k + 1);
    for (int before = 0; before < k; before++)
        if (waits_for(first, &groups[0], before))
            run.after[run.nafter++] = before;
    for (int i = at->first; i < at->end; i++) {
        const struct host_task *t = &h->plan->tasks.items[i];
        if (t->block || t->vector)
            continue;
        struct run_lane lane = {
            .task = i, .cube = t->func->type == IR_FUNC_AIC, .dual = lanes_is_dual(t->func)};
        note_starts(h, groups, k, i - at->first, &lane);
        lane.task = h->instances.items[h->instance_of[i]].task;
        vec_push(h->g.arena, &run.lanes, lane);
    }
    vec_push(h->g.arena, &h->g.runs, run);
}

/* Why the tasks are not the same on every rank, or NULL; at: of the first task, or the one that differs. */
static const char *runs_differ(struct host_gen *h, const task_groups *groups, struct span *at)
{
    *at = h->plan->tasks.items[0].at;
    vec_foreach (const struct host_domain, d, &h->plan->domains)
        for (int i = 0; i < h->plan->nranks; i++)
            if (d->ndevices != h->plan->nranks || d->devices[i] != i)
                return arena_printf(h->g.arena, "the windows of '%s' are not those of all ranks",
                                    d->name);
    for (int r = 1; r < h->plan->nranks; r++) {
        size_t n = groups[r].len < groups[0].len ? groups[r].len : groups[0].len, k = 0;
        while (k < n && same_group(h, &groups[0], &groups[r], (int)k))
            k++;
        if (k == groups[0].len && k == groups[r].len)
            continue;
        const task_groups *longer = k < groups[r].len ? &groups[r] : &groups[0];
        *at = h->plan->tasks.items[longer->items[k].first].at;
        return arena_printf(h->g.arena, "rank %d is given other tasks than rank 0", r);
    }
    return NULL;
}

static void note_runs(struct host_gen *h)
{
    task_groups *groups = arena_array(h->g.arena, task_groups, (size_t)h->plan->nranks);
    for (int r = 0; r < h->plan->nranks; r++)
        groups[r] = groups_of(h, r);
    h->g.no_runs = runs_differ(h, groups, &h->g.no_runs_at);
    for (size_t k = 0; k < groups[0].len && !h->g.no_runs; k++)
        note_run(h, groups, (int)k);
}

static int grain_of(const struct host_plan *plan)
{
    int grain = 4;
    vec_foreach (const struct host_object, o, &plan->objects)
        if (o->grain && o->grain < grain)
            grain = o->grain;
    return grain;
}

static struct program *finish(struct host_gen *h)
{
    struct gen *g = &h->g;
    const struct host_plan *plan = h->plan;
    place_list places = plan->places;
    for (int i = 0; i < plan->cores_per_rank && !plan->clustered; i++)
        vec_push(g->arena, &places, (struct core_place){i, LANE_NONE});
    struct program *p = gen_program(g, "host", plan->nranks, &places);
    p->gm_bytes = h->bytes;
    p->grain = grain_of(plan);
    p->nsteps = plan->nsteps;
    p->plan = host_plan_print(plan, g->arena);
    add_dispatches(h, p, build_task_entries(&h->g.build));
    p->gm_init = arena_array(g->arena, uint8_t *, (size_t)p->nranks);
    for (int rank = 0; rank < p->nranks; rank++) {
        p->gm_init[rank] = arena_alloc(g->arena, p->gm_bytes);
        vec_foreach (const struct host_object, o, &plan->objects)
            fill_object(o, p->gm_init[rank], rank);
        fill_contexts(h, p->gm_init[rank], rank);
    }
    return p;
}

struct program *host_codegen(struct arena *a, const struct ir_program *p,
                             const struct host_plan *plan, const struct directives *dir,
                             const struct codegen_options *o, struct diag *d)
{
    struct host_gen h = {.g = {.arena = a,
                               .toolchain = o->toolchain,
                               .prog = p,
                               .opt = o,
                               .dir = dir,
                               .d = d,
                               .site = -1,
                               .origin = ORIGIN_USER},
                         .plan = plan};
    if (!gen_globals(&h.g) || !add_regions(&h))
        return NULL;
    vec_foreach (struct ir_func *, f, &p->funcs)
        if (ir_func_is_incore(*f))
            gen_count(&h.g, *f);
    if (!make_instances(&h))
        return NULL;
    if (o->toolchain->auto_sync)
        auto_sync(&h.g.build);
    struct program *out = finish(&h);
    note_runs(&h);
    if (o->built)
        o->built(o->built_ctx, &h.g.build, out);
    return out;
}
