/* SPDX-License-Identifier: MIT */
/* Expressions of host and chip orchestrators: numbers, tuples, windows and views of tensors. */
#include <string.h>

#include "base/table.h"
#include "codegen/internal.h"
#include "codegen/host/host_internal.h"

enum { MAX_VIEW_BYTES = 1 << 30 };

static const struct host_value nothing = {.kind = HOST_VOID};

static struct host_value number(int64_t v)
{
    return (struct host_value){.kind = HOST_INT, .number = v};
}

static struct host_value real_number(double v)
{
    return (struct host_value){.kind = HOST_FLOAT, .real = v};
}

bool host_elem(struct host_run *h, enum ir_dtype t, struct span at, enum elem *out)
{
    return elem_of_dtype(t, out) ||
           host_error(h, at, "the machine has no elements of type %s", ir_dtype_name(t));
}

const struct ir_expr *host_attr(const struct ir_call *call, const char *name)
{
    const struct ir_expr *e = ir_kwarg_find(&call->kwargs, name);
    return e ? e : ir_kwarg_find(&call->attrs, name);
}

/* ---- arithmetic ---- */

static bool is_number(struct host_value v)
{
    return v.kind == HOST_INT || v.kind == HOST_FLOAT;
}

static double as_real(struct host_value v)
{
    return v.kind == HOST_FLOAT ? v.real : (double)v.number;
}

static struct host_value on_reals(struct host_run *h, const struct ir_expr *e, double x, double y)
{
    switch (e->binary.op) {
    case IR_ADD:
        return real_number(x + y);
    case IR_SUB:
        return real_number(x - y);
    case IR_MUL:
        return real_number(x * y);
    case IR_TRUEDIV:
        return real_number(x / y);
    case IR_LT:
        return number(x < y);
    case IR_LE:
        return number(x <= y);
    case IR_GT:
        return number(x > y);
    case IR_GE:
        return number(x >= y);
    case IR_EQ:
        return number(x == y);
    case IR_NE:
        return number(x != y);
    default:
        host_error(h, e->span, "the host has no such operator for float operands");
        return nothing;
    }
}

static struct host_value eval_binary(struct host_run *h, const struct ir_expr *e)
{
    struct host_value x = host_eval(h, e->binary.lhs), y = host_eval(h, e->binary.rhs);
    if (h->d->failed)
        return nothing;
    if (!is_number(x) || !is_number(y)) {
        host_error(h, e->span, "expected numbers on both sides of the operator");
        return nothing;
    }
    /* The host is Python, which rounds down; what a chip's orchestrator computes is compiled C++,
     * which rounds towards zero. */
    bool chip = h->rank >= 0;
    enum alu op = e->binary.op == IR_FLOORDIV ? (chip ? ALU_TRUNCDIV : ALU_FLOORDIV)
                  : e->binary.op == IR_MOD    ? (chip ? ALU_TRUNCMOD : ALU_MOD)
                                              : alu_of_binary(e->binary.op);
    if (x.kind == HOST_FLOAT || y.kind == HOST_FLOAT || e->binary.op == IR_TRUEDIV)
        return on_reals(h, e, as_real(x), as_real(y));
    if (op == ALU_COUNT) {
        host_error(h, e->span, "the host has no such operator for integer operands");
        return nothing;
    }
    if ((e->binary.op == IR_FLOORDIV || e->binary.op == IR_MOD) && y.number == 0) {
        host_error(h, e->span, "division by zero");
        return nothing;
    }
    return number(alu_eval(op, x.number, y.number, ELEM_I64, ELEM_I64));
}

static struct host_value eval_unary(struct host_run *h, const struct ir_expr *e)
{
    struct host_value x = host_eval(h, e->unary.operand);
    if (h->d->failed)
        return nothing;
    if (x.kind == HOST_INT)
        return number(alu_eval(alu_of_unary(e->unary.op), x.number, 0, ELEM_I64, ELEM_I64));
    if (x.kind == HOST_FLOAT && e->unary.op == IR_NEG)
        return real_number(-x.real);
    host_error(h, e->span, "the host has no such operator for this operand");
    return nothing;
}

static struct host_value eval_cast(struct host_run *h, const struct ir_expr *e)
{
    struct host_value x = host_eval(h, e->cast.operand);
    if (h->d->failed)
        return nothing;
    if (!is_number(x)) {
        host_error(h, e->span, "expected a number to cast");
        return nothing;
    }
    if (ir_dtype_is_float(e->cast.dtype))
        return real_number(as_real(x));
    if (x.kind == HOST_FLOAT && !(x.real > -0x1p62 && x.real < 0x1p62)) {
        host_error(h, e->span, "the number is too large for an integer");
        return nothing;
    }
    return number(x.kind == HOST_INT ? x.number : (int64_t)x.real);
}

bool host_int(struct host_run *h, const struct ir_expr *e, const char *what, int64_t *out)
{
    struct host_value v = host_eval(h, e);
    if (!h->d->failed && v.kind != HOST_INT)
        return host_error(h, e->span, "%s must be an integer", what);
    *out = v.number;
    return !h->d->failed;
}

/* ---- views ---- */

int64_t host_view_bytes(const struct host_view *v)
{
    int64_t n = elem_size(v->elem);
    for (int i = 0; i < v->ndims; i++)
        n *= v->shape[i];
    return n;
}

struct host_extent host_extent_of(const struct host_view *v, unsigned use)
{
    int64_t last = 0;
    for (int i = 0; i < v->ndims; i++)
        last += (v->shape[i] - 1) * v->stride[i];
    return (struct host_extent){.object = v->object,
                                .low = v->at,
                                .high = v->at + (last + 1) * elem_size(v->elem),
                                .use = use};
}

static void make_dense(struct host_view *v)
{
    int64_t dense = 1;
    for (int i = v->ndims - 1; i >= 0; i--) {
        v->stride[i] = dense;
        dense *= v->shape[i];
    }
}

static bool is_dense(const struct host_view *v)
{
    struct host_view d = *v;
    make_dense(&d);
    for (int i = 0; i < v->ndims; i++)
        if (v->shape[i] != 1 && v->stride[i] != d.stride[i])
            return false;
    return true;
}

static bool set_shape(struct host_run *h, const ir_exprs *dims, struct span at,
                      struct host_view *out)
{
    int64_t bytes = elem_size(out->elem);
    if (dims->len == 0 || dims->len > HOST_MAX_DIMS)
        return host_error(h, at, "a tensor has 1 to %d dimensions", HOST_MAX_DIMS);
    out->ndims = (int)dims->len;
    for (int i = 0; i < out->ndims; i++) {
        if (!host_int(h, dims->items[i], "an extent", &out->shape[i]))
            return false;
        if (out->shape[i] < 1)
            return host_error(h, at, "the extents of a tensor must be positive");
        if (bytes > MAX_VIEW_BYTES / out->shape[i])
            return host_error(h, at, "a tensor of this shape does not fit the machine's memory");
        bytes *= out->shape[i];
    }
    make_dense(out);
    return true;
}

bool host_shape(struct host_run *h, const struct ir_expr *e, struct host_view *out)
{
    if (e->kind != IR_TUPLE && e->kind != IR_LIST)
        return host_error(h, e->span, "expected a shape such as [1, 64]");
    return set_shape(h, &e->items, e->span, out);
}

int host_object_add(struct host_run *h, struct host_object o)
{
    vec_push(h->arena, &h->plan->objects, o);
    return (int)h->plan->objects.len - 1;
}

struct host_value host_whole(int object, const struct host_view *shape)
{
    struct host_value v = {.kind = HOST_VIEW, .view = *shape};
    v.view.object = object;
    v.view.at = 0;
    make_dense(&v.view);
    return v;
}

/* ---- operators ---- */

static bool view_of(struct host_run *h, const struct ir_expr *e, struct host_view *out)
{
    struct host_value v = host_eval(h, e);
    if (!h->d->failed && v.kind != HOST_VIEW)
        return host_error(h, e->span, "expected a tensor");
    *out = v.view;
    return !h->d->failed;
}

static struct host_value eval_world_size(struct host_run *h, const struct ir_expr *e)
{
    (void)e;
    return number(h->opt->nranks);
}

static int slot_object(const struct host_run *h, const struct ir_var *base)
{
    for (size_t i = h->slots.len; i-- > 0;)
        if (h->slots.items[i].base == base)
            return h->slots.items[i].object;
    return -1;
}

static bool alloc_bytes(struct host_run *h, const struct ir_expr *e, int64_t *bytes)
{
    const struct ir_expr *size = e->call.args.items[0], *dtype = host_attr(&e->call, "dtype");
    struct host_view v = {0};
    if (size->kind != IR_LIST && size->kind != IR_TUPLE)
        return host_int(h, size, "the size of an allocation", bytes);
    const char *dot = dtype && dtype->kind == IR_NAME ? strrchr(dtype->name, '.') : NULL;
    if (!dot)
        return host_error(h, e->span, "an allocation by shape needs dtype=");
    if (!host_elem(h, ir_dtype_parse(dot + 1), dtype->span, &v.elem) || !host_shape(h, size, &v))
        return false;
    *bytes = host_view_bytes(&v);
    return true;
}

/* The window is the slot whose base is the variable that the call is assigned to. */
struct host_value host_alloc(struct host_run *h, const struct ir_expr *e, const struct ir_var *to)
{
    int object = to ? slot_object(h, to) : -1;
    int64_t bytes = 0;
    if (object < 0) {
        host_error(h, e->span,
                   "this window belongs to no comm domain: the pass MaterializeCommDomainScopes "
                   "comes before a host program runs");
        return nothing;
    }
    if (!alloc_bytes(h, e, &bytes))
        return nothing;
    struct host_object *o = &h->plan->objects.items[object];
    if (bytes < 1 || bytes > MAX_VIEW_BYTES)
        host_error(h, e->span, "a window cannot hold %lld bytes", (long long)bytes);
    else if (o->allocated)
        host_error(h, e->span, "'%s' is allocated twice", to->shown);
    o->bytes = bytes;
    o->allocated = true;
    return (struct host_value){.kind = HOST_PTR, .number = object};
}

static struct host_value eval_alloc(struct host_run *h, const struct ir_expr *e)
{
    return host_alloc(h, e, NULL);
}

static struct host_value eval_window(struct host_run *h, const struct ir_expr *e)
{
    struct host_value ptr = host_eval(h, ir_call_arg(&e->call, "buf"));
    struct host_view v = {0};
    if (h->d->failed)
        return nothing;
    if (ptr.kind != HOST_PTR) {
        host_error(h, e->span, "expected the result of alloc_window_buffer");
        return nothing;
    }
    const struct ir_expr *dtype = host_attr(&e->call, "dtype");
    const char *dot = dtype && dtype->kind == IR_NAME ? strrchr(dtype->name, '.') : NULL;
    enum ir_dtype t = dot ? ir_dtype_parse(dot + 1) : e->type ? e->type->dtype : IR_DTYPE_NONE;
    if (!host_elem(h, t, e->span, &v.elem) || !host_shape(h, ir_call_arg(&e->call, "shape"), &v))
        return nothing;
    struct host_object *o = &h->plan->objects.items[ptr.number];
    if (host_view_bytes(&v) > o->bytes) {
        host_error(h, e->span, "a window of %lld bytes over the %lld bytes of '%s'",
                   (long long)host_view_bytes(&v), (long long)o->bytes, o->name);
        return nothing;
    }
    int size = elem_size(v.elem);
    if (!o->grain)
        o->elem = v.elem;
    if (!o->grain || size < o->grain)
        o->grain = size;
    return host_whole((int)ptr.number, &v);
}

static struct host_value eval_ctx(struct host_run *h, const struct ir_expr *e)
{
    struct host_view v = {0};
    if (!view_of(h, e->call.args.items[0], &v))
        return nothing;
    int domain = h->plan->objects.items[v.object].domain;
    if (domain < 0) {
        host_error(h, e->span, "this tensor is no window: it has no communication context");
        return nothing;
    }
    return (struct host_value){.kind = HOST_CTX, .number = domain};
}

/* The number of the device whose orchestrator runs among those of the context, or how many they are
 * (pypto-front-facts 2.7). */
static struct host_value eval_rank(struct host_run *h, const struct ir_expr *e)
{
    struct host_value ctx = host_eval(h, e->call.args.items[0]);
    if (h->d->failed)
        return nothing;
    if (ctx.kind != HOST_CTX) {
        host_error(h, e->span, "expects a CommCtx");
        return nothing;
    }
    const struct host_domain *d = &h->plan->domains.items[ctx.number];
    if (!strcmp(e->call.op->name, "pld.system.nranks"))
        return number(d->ndevices);
    for (int i = 0; i < d->ndevices; i++)
        if (d->devices[i] == h->rank)
            return number(i);
    host_error(h, e->span, "only the orchestrator of a device of the domain has a rank in it");
    return nothing;
}

/* A tensor that the runtime makes. The k-th one of each rank is one object when they are alike. */
static struct host_value allocated(struct host_run *h, const struct ir_type *t,
                                   const struct ir_expr *shape, struct span at)
{
    struct host_view v = {0};
    if (!host_elem(h, t ? t->dtype : IR_DTYPE_NONE, at, &v.elem) || !host_shape(h, shape, &v))
        return nothing;
    int64_t bytes = host_view_bytes(&v);
    int ordinal = h->rank < 0 ? -1 : h->created[h->rank]++;
    const char *name = h->rank < 0 ? arena_printf(h->arena, "tensor%zu", h->plan->objects.len)
                                   : arena_printf(h->arena, "temp%d", ordinal);
    for (size_t i = 0; i < h->plan->objects.len; i++) {
        const struct host_object *o = &h->plan->objects.items[i];
        if (!strcmp(o->name, name) && o->bytes == bytes && o->elem == v.elem)
            return host_whole((int)i, &v);
    }
    struct host_object o = {.name = name,
                            .domain = -1,
                            .elem = v.elem,
                            .grain = elem_size(v.elem),
                            .bytes = bytes,
                            .allocated = true,
                            .output = true,
                            .own = h->rank >= 0};
    return host_whole(host_object_add(h, o), &v);
}

static struct host_value eval_create(struct host_run *h, const struct ir_expr *e)
{
    return allocated(h, e->type, ir_call_arg(&e->call, "shape"), e->span);
}

struct host_value host_allocate(struct host_run *h, const struct ir_type *t, struct span at)
{
    return allocated(h, t, ir_tuple(h->arena, t->shape, at), at);
}

/* Moves the view to its element at the offsets; extent: of the part
 * that must fit there, or NULL. */
static bool offset_view(struct host_run *h, const struct ir_expr *offsets, const int64_t *extent,
                        struct host_view *v)
{
    if (offsets->kind != IR_TUPLE && offsets->kind != IR_LIST)
        return host_error(h, offsets->span, "expected offsets such as [0, 0]");
    if (offsets->items.len != (size_t)v->ndims)
        return host_error(h, offsets->span, "expected %d offsets, one per dimension", v->ndims);
    for (int i = 0; i < v->ndims; i++) {
        int64_t at = 0;
        if (!host_int(h, offsets->items.items[i], "an offset", &at))
            return false;
        if (at < 0 || at > v->shape[i] - (extent ? extent[i] : 1))
            return host_error(h, offsets->span, "the part lies outside of its tensor");
        v->at += at * v->stride[i] * elem_size(v->elem);
    }
    return true;
}

static bool inside(struct host_run *h, const struct host_view *v, struct span at)
{
    struct host_extent e = host_extent_of(v, 0);
    return e.high <= h->plan->objects.items[v->object].bytes ||
           host_error(h, at, "the part lies outside of its tensor");
}

static bool drop_dims(struct host_run *h, const struct ir_expr *list, struct host_view *v)
{
    bool gone[HOST_MAX_DIMS] = {0};
    for (size_t i = 0;
         list && (list->kind == IR_TUPLE || list->kind == IR_LIST) && i < list->items.len; i++) {
        int64_t axis = 0;
        if (!host_int(h, list->items.items[i], "a dimension", &axis))
            return false;
        if (axis < 0 || axis >= v->ndims || v->shape[axis] != 1)
            return host_error(h, list->span, "only a dimension of extent 1 can be dropped");
        gone[axis] = true;
    }
    int n = 0;
    for (int i = 0; i < v->ndims; i++)
        if (!gone[i]) {
            v->shape[n] = v->shape[i];
            v->stride[n++] = v->stride[i];
        }
    v->ndims = n;
    return true;
}

static struct host_value eval_slice(struct host_run *h, const struct ir_expr *e)
{
    struct host_view v = {0}, part = {0};
    if (!view_of(h, e->call.args.items[0], &v))
        return nothing;
    part.elem = v.elem;
    if (!host_shape(h, ir_call_arg(&e->call, "shape"), &part))
        return nothing;
    if (part.ndims != v.ndims) {
        host_error(h, e->span, "a slice keeps the %d dimensions of its tensor", v.ndims);
        return nothing;
    }
    if (!offset_view(h, ir_call_arg(&e->call, "offset"), part.shape, &v))
        return nothing;
    memcpy(v.shape, part.shape, sizeof v.shape);
    if (!drop_dims(h, ir_call_arg(&e->call, "drop_dims"), &v))
        return nothing;
    return (struct host_value){.kind = HOST_VIEW, .view = v};
}

static struct host_value eval_reshape(struct host_run *h, const struct ir_expr *e)
{
    struct host_view v = {0}, to = {0};
    const struct ir_expr *offset = ir_call_arg(&e->call, "offset");
    if (!view_of(h, e->call.args.items[0], &v) || (offset && !offset_view(h, offset, NULL, &v)))
        return nothing;
    to = (struct host_view){.object = v.object, .elem = v.elem, .at = v.at};
    if (!is_dense(&v))
        host_error(h, e->span, "a part of a tensor whose rows lie apart cannot take another shape");
    else if (host_shape(h, ir_call_arg(&e->call, "shape"), &to))
        inside(h, &to, e->span);
    return h->d->failed ? nothing : (struct host_value){.kind = HOST_VIEW, .view = to};
}

static struct host_value eval_dim(struct host_run *h, const struct ir_expr *e)
{
    struct host_view v = {0};
    int64_t axis = 0;
    if (!view_of(h, e->call.args.items[0], &v) ||
        !host_int(h, e->call.args.items[1], "the axis", &axis))
        return nothing;
    if (axis < 0 || axis >= v.ndims) {
        host_error(h, e->span, "the tensor has no axis %lld", (long long)axis);
        return nothing;
    }
    return number(v.shape[axis]);
}

/* x[i, j]: the first dimensions of a tensor taken at a place. */
static struct host_value eval_subscript(struct host_run *h, const struct ir_expr *e)
{
    struct host_view v = {0};
    int n = (int)e->call.args.len - 1;
    struct host_value base = host_eval(h, e->call.args.items[0]);
    int64_t at = 0;
    if (h->d->failed)
        return nothing;
    if (base.kind == HOST_TUPLE && n == 1) {
        if (host_int(h, e->call.args.items[1], "an index", &at) &&
            (at < 0 || (uint64_t)at >= base.nitems))
            host_error(h, e->span, "the tuple has no element %lld", (long long)at);
        return h->d->failed ? nothing : base.items[at];
    }
    v = base.view;
    if (base.kind != HOST_VIEW || n >= v.ndims) {
        host_error(h, e->span, "expected a part of a tensor: the host reads no elements");
        return nothing;
    }
    for (int i = 0; i < n; i++) {
        if (!host_int(h, e->call.args.items[i + 1], "an index", &at))
            return nothing;
        if (at < 0 || at >= v.shape[i]) {
            host_error(h, e->span, "the tensor has no part %lld in dimension %d", (long long)at, i);
            return nothing;
        }
        v.at += at * v.stride[i] * elem_size(v.elem);
    }
    v.ndims -= n;
    memmove(v.shape, v.shape + n, sizeof *v.shape * (size_t)v.ndims);
    memmove(v.stride, v.stride + n, sizeof *v.stride * (size_t)v.ndims);
    return (struct host_value){.kind = HOST_VIEW, .view = v};
}

static const struct {
    const char *name;
    struct host_value (*eval)(struct host_run *h, const struct ir_expr *e);
} operators[] = {
    {"pld.system.world_size", eval_world_size},
    {"pld.tensor.alloc_window_buffer", eval_alloc},
    {"pld.tensor.window", eval_window},
    {"pld.system.get_comm_ctx", eval_ctx},
    {"pld.system.rank", eval_rank},
    {"pld.system.nranks", eval_rank},
    {"tensor.create", eval_create},
    {"tensor.slice", eval_slice},
    {"tensor.view", eval_reshape},
    {"tensor.reshape", eval_reshape},
    {"tensor.dim", eval_dim},
    {"tensor.read", host_read},
    {"array.create", host_array_create},
    {"array.get_element", host_array_get},
    {"array.update_element", host_array_update},
    {"system.task_dummy", host_task_dummy},
    {"system.task_invalid", host_task_invalid},
    {"system.task_is_valid", host_task_is_valid},
};

static struct host_value eval_call(struct host_run *h, const struct ir_expr *e)
{
    const struct ir_call *c = &e->call;
    if (c->callee == IR_CALLEE_USER || c->callee == IR_CALLEE_SUBMIT)
        return host_call(h, e);
    if (c->callee == IR_CALLEE_UNKNOWN && !strcmp(c->name, "[]"))
        return eval_subscript(h, e);
    for (size_t i = 0; c->callee == IR_CALLEE_OP && i < sizeof operators / sizeof *operators; i++)
        if (!strcmp(operators[i].name, c->name))
            return operators[i].eval(h, e);
    if (c->callee == IR_CALLEE_OP && !strncmp(c->name, "builtin.tensor.", 15))
        return host_builtin_call(h, e);
    bool composite = c->callee == IR_CALLEE_OP && c->op->effect == IR_EFFECT_COLLECTIVE;
    host_error(h, e->span,
               composite ? "the collective '%s' is not lowered yet: the pass "
                           "LowerHostTensorCollectives comes before a host program runs"
                         : "'%s' cannot run in an orchestrator here",
               c->name);
    return nothing;
}

static struct host_value eval_items(struct host_run *h, const ir_exprs *list)
{
    struct host_value *items = arena_array(h->arena, struct host_value, list->len + 1);
    for (size_t i = 0; i < list->len && !h->d->failed; i++)
        items[i] = host_eval(h, list->items[i]);
    return (struct host_value){.kind = HOST_TUPLE, .items = items, .nitems = list->len};
}

static struct host_value eval_element(struct host_run *h, const struct ir_expr *e)
{
    struct host_value base = host_eval(h, e->getitem.base);
    int64_t at = e->getitem.index;
    if (h->d->failed)
        return nothing;
    if (base.kind == HOST_TUPLE && at >= 0 && (uint64_t)at < base.nitems)
        return base.items[at];
    if (base.kind == HOST_TASK && at == 0) /* a launch without results gives a tuple of its task */
        return base;
    host_error(h, e->span, "the value has no element %lld", (long long)at);
    return nothing;
}

struct host_value host_eval(struct host_run *h, const struct ir_expr *e)
{
    const struct host_value *v;
    switch (e->kind) {
    case IR_VAR:
        v = host_find(h, e->var);
        if (!v)
            host_error(h, e->span, "'%s' has no value here; bind it with --arg %s=EXPRESSION",
                       e->var->shown, e->var->shown);
        return v ? *v : nothing;
    case IR_INT:
        return number(e->integer.value);
    case IR_FLOAT:
        return real_number(e->real.value);
    case IR_BOOLEAN:
        return number(e->boolean);
    case IR_BINARY:
        return eval_binary(h, e);
    case IR_UNARY:
        return eval_unary(h, e);
    case IR_CAST:
        return eval_cast(h, e);
    case IR_TUPLE:
    case IR_LIST:
        return eval_items(h, &e->items);
    case IR_GETITEM:
        return eval_element(h, e);
    case IR_CALL:
        return eval_call(h, e);
    case IR_NONE:
        return nothing;
    default:
        host_error(h, e->span, "expected a value that an orchestrator can compute");
        return nothing;
    }
}
