/* SPDX-License-Identifier: MIT */
/* A program without a host: each rank runs the orchestrator of its chip once. */
#include <string.h>

#include "codegen/host/host_internal.h"
#include "codegen/internal.h"
#include "passes/rewrite.h"

static bool launches_nothing(const struct ir_expr *e, void *ctx)
{
    (void)ctx;
    return e->kind != IR_CALL ||
           (e->call.callee != IR_CALLEE_USER && e->call.callee != IR_CALLEE_SUBMIT);
}

static enum walk find_launch(const struct ir_stmt *s, void *ctx)
{
    return pass_walk_stmt(s, launches_nothing, ctx) ? WALK_INTO : WALK_FOUND;
}

const struct ir_func *host_chip_entry(const struct ir_program *p)
{
    const struct ir_func *entry = NULL;
    vec_foreach (struct ir_func *, f, &p->funcs) {
        if (!ir_func_is_chip_orchestrator(*f) || !pass_find_stmt(&(*f)->body, find_launch, NULL) ||
            pass_is_called(p, *f, ir_func_is_chip_orchestrator))
            continue;
        if (entry)
            return NULL;
        entry = *f;
    }
    return entry;
}

/* ---- parameters ---- */

static bool is_kind(const struct ir_param *p, enum ir_type_kind kind)
{
    return p->var->type && p->var->type->kind == kind;
}

static void add_domain(struct host_run *h, const struct ir_func *entry)
{
    struct host_domain d = {.name = "comm_d0"};
    bool some = false;
    vec_foreach (const struct ir_param, p, &entry->params)
        some |= is_kind(p, IR_TYPE_DIST_TENSOR) || is_kind(p, IR_TYPE_COMM_CTX);
    for (int r = 0; r < h->opt->nranks; r++)
        d.devices[d.ndevices++] = r;
    if (some)
        vec_push(h->arena, &h->plan->domains, d);
}

/* What is the same for all ranks: memory at one offset, and the domain. */
static bool shared_value(struct host_run *h, const struct ir_param *p, struct host_value *out)
{
    if (is_kind(p, IR_TYPE_COMM_CTX)) {
        *out = (struct host_value){.kind = HOST_CTX, .number = 0};
        return true;
    }
    if (is_kind(p, IR_TYPE_SCALAR))
        return true;
    bool window = is_kind(p, IR_TYPE_DIST_TENSOR);
    if (!window && !is_kind(p, IR_TYPE_TENSOR))
        return host_error(h, p->var->span, "the parameter '%s' is no tensor, scalar or context",
                          p->var->shown);
    if (!host_param_tensor(h, p, window ? 0 : -1, out))
        return false;
    h->plan->objects.items[out->view.object].own = true;
    return true;
}

static bool scalar_value(struct host_run *h, const struct ir_param *p, int rank,
                         struct host_value *out)
{
    const char *name = p->var->shown;
    const struct binding *b = codegen_binding(h->dir, h->opt, name);
    int64_t value = strcmp(name, "rank") ? h->opt->nranks : rank;
    if (!b && !ir_name_counts_ranks(name) && strcmp(name, "rank"))
        return host_no_value(h, p->var);
    if (b && !binding_eval(h->arena, b, rank, h->opt->nranks, &value, h->d))
        return false;
    bool real = ir_dtype_is_float(p->var->type->dtype);
    *out = (struct host_value){
        .kind = real ? HOST_FLOAT : HOST_INT, .number = value, .real = (double)value};
    return true;
}

bool host_run_chips(struct host_run *h, const struct ir_func *entry)
{
    size_t n = entry->params.len;
    add_domain(h, entry);
    struct host_value *shared = arena_array(h->arena, struct host_value, n + 1);
    for (size_t i = 0; i < n; i++)
        if (!shared_value(h, &entry->params.items[i], &shared[i]))
            return false;
    h->group = h->plan->nsteps++;
    for (int rank = 0; rank < h->opt->nranks; rank++) {
        struct host_value *args = arena_dup(h->arena, shared, (n + 1) * sizeof *shared);
        for (size_t i = 0; i < n; i++)
            if (is_kind(&entry->params.items[i], IR_TYPE_SCALAR) &&
                !scalar_value(h, &entry->params.items[i], rank, &args[i]))
                return false;
        if (!host_dispatch(h, entry, args, rank))
            return false;
    }
    h->group = -1;
    return true;
}
