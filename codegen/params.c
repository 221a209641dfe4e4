/* SPDX-License-Identifier: MIT */
/* Values of names from outside, and the parameters of tasks: regions of memory and arguments. */
#include <string.h>

#include "codegen/internal.h"

/* ---- values that --arg or a directive gives ---- */

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
                "'%s' is a constant of the program: it must be the same on every rank", v->shown);
        value = here;
    }
    gen_bind(g, v, (struct value){.kind = VAL_INT, .op = imm_operand(value)});
    return true;
}

static bool bind_symbol(struct gen *g, const struct ir_var *v)
{
    const struct binding *b = find_binding(g, v->shown);
    if (b)
        return bind_constant(g, v, b);
    if (ir_name_counts_ranks(v->shown))
        gen_bind(g, v, (struct value){.kind = VAL_INT, .op = imm_operand(g->opt->nranks)});
    return true;
}

bool gen_globals(struct gen *g)
{
    vec_foreach (struct ir_global, c, &g->prog->globals)
        if (!bind_symbol(g, c->var))
            return false;
    vec_foreach (struct ir_var *, v, &g->prog->implicit_symbols)
        if (!bind_symbol(g, *v))
            return false;
    return true;
}

bool gen_known_bindings(struct gen *g, const param_list *params)
{
    for (size_t i = 0; i < g->opt->nargs; i++) {
        const struct binding *b = &g->opt->args[i];
        bool known = false;
        vec_foreach (struct param, p, params)
            known |= !strcmp(p->p->var->shown, b->name);
        known |= ir_find_constant(g->prog, b->name) != NULL;
        vec_foreach (struct ir_global, c, &g->prog->globals)
            known |= !strcmp(c->var->shown, b->name);
        vec_foreach (struct ir_var *, v, &g->prog->implicit_symbols)
            known |= !strcmp((*v)->name, b->name);
        if (!known)
            return diag_error(g->d, b->source, b->at,
                              "the kernel has no parameter or constant '%s'", b->name);
    }
    return true;
}

/* ---- tensors and their regions ---- */

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
    const struct ir_expr *layout = ir_view_keyword(type, "layout"),
                         *stride = ir_view_keyword(type, "stride");
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
            return gen_error(g, v->span, "the extents of '%s' must be positive", v->shown);
        if ((dense > MAX_MEMORY / out->shape[i] / elem_size(out->elem)))
            return gen_error(g, v->span, "'%s' does not fit the machine's memory", v->shown);
        dense *= out->shape[i];
    }
    gen_layout_strides(NULL, out);
    if (!gen_layout(g, t, v->span, out))
        return false;
    for (int i = 0; i < out->ndims; i++)
        if (out->stride[i] < 0 || out->stride[i] > MAX_MEMORY / out->shape[i])
            return gen_error(g, v->span, "'%s' does not fit the machine's memory", v->shown);
    return true;
}

static int64_t tensor_bytes(const struct tensor *t)
{
    int64_t last = 0;
    for (int i = 0; i < t->ndims; i++)
        last += (t->shape[i] - 1) * t->stride[i];
    return (last + 1) * elem_size(t->elem);
}

/* What reports call a tensor parameter of f: its full name, where another one of the function is
 * known to the author by the same name. */
static const char *tensor_name(const struct ir_func *f, const struct ir_var *v)
{
    int same = 0;
    vec_foreach (const struct ir_param, other, &f->params)
        same += !strcmp(other->var->shown, v->shown);
    return same > 1 ? v->name : v->shown;
}

/* One region per tensor name; functions that use the same name share it. */
static bool add_region(struct gen *g, struct param *p, bool window)
{
    const struct ir_var *v = p->p->var;
    struct tensor t;
    if (!tensor_of_type(g, v, &t))
        return false;
    int found = find_region(g, p->name);
    enum ir_direction dir = p->p->direction;
    if (found >= 0) {
        struct region *r = &g->regions.items[found];
        if (r->size != (uint64_t)tensor_bytes(&t) || r->elem != t.elem ||
            (r->kind == REGION_WINDOW) != window)
            return gen_error(g, v->span, "'%s' has another type in another function of this file",
                             p->name);
        r->output |= dir != IR_IN;
        p->region = found;
        return true;
    }
    struct region r = {.name = p->name,
                       .kind = window ? REGION_WINDOW : REGION_LOCAL,
                       .size = (uint64_t)tensor_bytes(&t),
                       .ndims = t.ndims,
                       .shape = arena_dup(g->arena, t.shape, sizeof t.shape),
                       .elem = t.elem,
                       .uninitialised = !window && dir == IR_OUT,
                       .output = window || dir != IR_IN};
    p->region = (int)g->regions.len;
    vec_push(g->arena, &g->regions, r);
    return true;
}

/* The memory behind parameter i: that of the Group's parameter which is passed on, or its own. */
static const char *memory_name(const struct launch *l, const struct launch_member *m, size_t i)
{
    const struct ir_var *own = m->func->params.items[i].var;
    const struct ir_expr *arg = m->call && i < m->call->args.len ? m->call->args.items[i] : NULL;
    vec_foreach (const struct ir_param, p, &l->func->params)
        if (arg && arg->kind == IR_VAR && arg->var == p->var)
            return tensor_name(l->func, p->var);
    return tensor_name(m->func, own);
}

bool gen_collect_params(struct gen *g, const launch_list *launches, param_list *out)
{
    vec_foreach (const struct launch, l, launches)
        vec_foreach (const struct launch_member, m, &l->members)
            for (size_t i = 0; i < m->func->params.len; i++)
                vec_push(
                    g->arena, out,
                    (struct param){&m->func->params.items[i], m->func, memory_name(l, m, i), -1});
    /* Windows first, their contexts right behind them, then local tensors. */
    for (int pass = 0; pass < 2; pass++) {
        vec_foreach (struct param, p, out) {
            const struct ir_type *t = p->p->var->type;
            enum ir_type_kind kind = t ? t->kind : IR_TYPE_UNKNOWN;
            bool window = kind == IR_TYPE_DIST_TENSOR;
            if (ir_type_is_tensor_like(t) && window == (pass == 0) && !add_region(g, p, window))
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

/* ---- arguments: pointers and scalars in the first registers ---- */

static int add_argument(struct gen *g, const char *name)
{
    g->nargs++;
    return gen_reg(g, name);
}

int gen_window_count(const struct gen *g)
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
    t->peers = (int)g->regions.len - gen_window_count(g) + region;
    gen_bind(g, v, (struct value){.kind = VAL_TENSOR, .tensor = t});
}

static bool bind_scalar_param(struct gen *g, const struct ir_var *v, int reg, int64_t **values)
{
    const struct binding *b = find_binding(g, v->shown);
    bool is_float = v->type && ir_dtype_is_float(v->type->dtype);
    if (!b && !ir_name_counts_ranks(v->shown) && strcmp(v->shown, "rank"))
        return gen_error(g, v->span,
                         "no value for the parameter '%s'; give --arg %s=EXPRESSION or a line '# "
                         "fencebench: arg %s=EXPRESSION'",
                         v->shown, v->shown, v->shown);
    for (int r = 0; r < g->opt->nranks; r++) {
        int64_t x = strcmp(v->shown, "rank") ? g->opt->nranks : r;
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
        if (names_window(ctx->p->var->shown, p->p->var->shown)) {
            found = p->region;
            at_place = windows == place ? p->region : at_place;
            matches++;
        }
        windows++;
    }
    return matches > 1 && at_place >= 0 ? at_place : found;
}

bool gen_bind_params(struct gen *g, const param_list *params, int64_t **values)
{
    /* the peer arrays at the end need no pointer */
    size_t n = g->regions.len - (size_t)gen_window_count(g);
    int pointer[n + 1];
    for (size_t i = 0; i < n; i++) {
        pointer[i] = add_argument(g, g->regions.items[i].name);
        for (int r = 0; r < g->opt->nranks; r++)
            values[r][pointer[i]] = (int64_t)gm_addr(r, g->regions.items[i].offset);
    }
    int windows = gen_window_count(g);
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
                                 v->shown);
            gen_bind(g, v,
                     (struct value){.kind = VAL_CTX, .op = reg_operand(pointer[windows + w])});
        } else if (kind == IR_TYPE_SCALAR) {
            if (!bind_scalar_param(g, v, add_argument(g, v->shown), values))
                return false;
        } else {
            return gen_error(g, v->span, "the parameter '%s' is no tensor, scalar or context",
                             v->shown);
        }
    }
    return true;
}
