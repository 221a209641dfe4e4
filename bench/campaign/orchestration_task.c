/* SPDX-License-Identifier: MIT */
/* Tensors of the orchestration, and the tasks that it submits. */
#include <string.h>

#include "bench/campaign/orchestration_internal.h"
#include "codegen/bind.h"

/* ---- tensors ---- */

int chip_new_buffer(struct chip_machine *m, struct chip_buffer b)
{
    vec_push(m->arena, &m->run->buffers, b);
    return (int)m->run->buffers.len - 1;
}

/* Multiplies what is known; the first that is not is the reason of the product. */
static struct chip_number times(struct chip_number a, struct chip_number b)
{
    struct chip_number unknown = a.known ? b : a;
    unknown.symbol = NULL;
    return a.known && b.known ? chip_known((int64_t)((uint64_t)a.n * (uint64_t)b.n)) : unknown;
}

struct chip_number chip_count(const struct chip_tensor *t)
{
    struct chip_number n = chip_known(1);
    if (t->ndims < 0)
        return t->shape[0];
    for (int i = 0; i < t->ndims; i++)
        n = times(n, t->shape[i]);
    return n;
}

void chip_dense(struct chip_tensor *t)
{
    struct chip_number stride = chip_known(1);
    for (int i = t->ndims; i-- > 0;) {
        t->stride[i] = stride;
        stride = times(stride, t->shape[i]);
    }
}

struct chip_tensor *chip_create(struct chip_machine *m, const struct chip_info *info,
                                const char *name)
{
    struct chip_tensor *t = arena_dup(m->arena, &info->tensor, sizeof *t);
    chip_dense(t);
    t->at = chip_known(0);
    t->host = -1;
    t->buffer = chip_new_buffer(
        m, (struct chip_buffer){.name = name, .manual = info->manual, .elems = chip_count(t)});
    return t;
}

/* ---- what the host hands over ---- */

/* An extent that has a name, where somebody says it. */
static struct chip_number named_extent(struct chip_machine *m, const char *name)
{
    vec_foreach (const struct chip_extent, x, m->known)
        if (!strcmp(x->name, name))
            return chip_known(x->n);
    struct chip_number n = {.symbol = name, .needs = name};
    n.why = arena_printf(m->arena, "'%s' of the host program", name);
    return n;
}

/* A tensor of which nothing is known but what the recorded run may tell. */
static void unknown_tensor(struct chip_machine *m, struct chip_tensor *t, int64_t n)
{
    t->ndims = -1;
    for (int i = 0; i < PTO_MAX_DIMS; i++)
        t->shape[i] = named_extent(m, arena_printf(m->arena, "tensor%lld_dim%d", (long long)n, i));
}

struct chip_tensor *chip_host_tensor(struct chip_machine *m, int64_t n)
{
    const struct host_program *h = m->host;
    bool told = h->source && n >= 0 && n < (int64_t)h->tensors.len;
    if (n < 0 || n > 1 << 16 || (h->source && !told))
        return NULL;
    struct chip_tensor *t = arena_new(m->arena, struct chip_tensor);
    *t = (struct chip_tensor){.host = (int)n, .at = chip_known(0)};
    struct chip_buffer b = {.name = arena_printf(m->arena, "tensor %lld", (long long)n)};
    if (told) {
        const struct host_tensor *x = &h->tensors.items[n];
        t->ndims = x->ndims;
        t->elem_bytes = x->elem_bytes;
        for (int i = 0; i < t->ndims; i++)
            t->shape[i] =
                x->shape[i].name ? named_extent(m, x->shape[i].name) : chip_known(x->shape[i].n);
        b = (struct chip_buffer){.name = x->name, .window = x->window, .address = x->address};
    } else
        unknown_tensor(m, t, n);
    chip_dense(t);
    b.elems = chip_count(t);
    b.host = true;
    for (t->buffer = 0; t->buffer < (int)m->run->buffers.len; t->buffer++) {
        const struct chip_buffer *known = &m->run->buffers.items[t->buffer];
        if (known->host && !strcmp(known->name, b.name))
            return t;
    }
    t->buffer = chip_new_buffer(m, b);
    return t;
}

struct chip_number chip_host_scalar(struct chip_machine *m, int64_t n, struct span at)
{
    const struct host_program *h = m->host;
    if (n < 0 || n >= (int64_t)h->scalars.len)
        return (struct chip_number){.why = h->source ? "the host hands over no such scalar"
                                                     : "there is no orchestration/host_orch.py",
                                    .at = at,
                                    .maybe_context = true};
    const struct host_scalar *s = &h->scalars.items[n];
    if (s->ctx)
        return (struct chip_number){
            .why = "it is the context of a window", .at = at, .maybe_context = true};
    if (!s->expr)
        return chip_unknown(
            arena_printf(m->arena, "the host's scalar %lld, '%s'", (long long)n, s->text), at);
    vec_foreach (const char *, name, &h->names)
        if (!strcmp(s->expr, *name))
            return named_extent(m, *name);
    struct diag d = {.arena = m->arena};
    struct binding b = {.name = "scalar",
                        .source = h->source,
                        .line = s->at.line,
                        .col = s->at.col,
                        .expr = s->expr};
    int64_t x;
    if (binding_eval(m->arena, &b, m->rank, m->nranks, &x, &d))
        return chip_known(x);
    return chip_unknown(
        arena_printf(m->arena, "the host's scalar %lld, '%s'", (long long)n, s->text), at);
}

/* ---- parts that overlap ---- */

/* No memory is as large. */
#define FAR ((int64_t)1 << 40)

/* First and last element, and whether they are known and within reach. */
static bool range(const struct chip_tensor *t, int64_t *first, int64_t *last)
{
    if (!t->at.known || t->at.n < 0 || t->at.n > FAR || t->ndims < 0)
        return false;
    *first = *last = t->at.n;
    for (int i = 0; i < t->ndims; i++) {
        int64_t extent = t->shape[i].n, stride = t->stride[i].n, length;
        if (!t->shape[i].known || !t->stride[i].known || extent < 0 || extent > FAR || stride < 0 ||
            __builtin_mul_overflow(extent - 1, stride, &length) || length > FAR)
            return false;
        *last += length;
    }
    return true;
}

/* Its place in the dimensions of the whole, where its strides are those of rows of rows. */
static bool corner(const struct chip_tensor *t, int64_t *at)
{
    int64_t rest = t->at.n;
    for (int i = 0; i < t->ndims; i++) {
        int64_t stride = t->stride[i].n, above = i ? t->stride[i - 1].n : INT64_MAX;
        if (stride < 1 || (i && above % stride))
            return false;
        at[i] = rest / stride;
        rest %= stride;
        if (i && at[i] + t->shape[i].n > above / stride)
            return false;
    }
    return rest == 0;
}

/* How two parts of a buffer lie. */
enum chip_relation { APART, OVERLAP, COVERED };

/* Part against what covers it, or not. What is not known may overlap. */
static enum chip_relation relate(const struct chip_tensor *part, const struct chip_tensor *by)
{
    int64_t first, last, from, to, a[PTO_MAX_DIMS], b[PTO_MAX_DIMS];
    if (!range(part, &first, &last) || !range(by, &from, &to))
        return OVERLAP;
    if (last < from || to < first)
        return APART;
    bool same = part->ndims == by->ndims;
    for (int i = 0; same && i < part->ndims; i++)
        same = part->stride[i].n == by->stride[i].n;
    if (!same || !corner(part, a) || !corner(by, b)) {
        struct chip_number n = chip_count(by);
        bool dense = n.known && n.n == to - from + 1;
        return dense && from <= first && last <= to ? COVERED : OVERLAP;
    }
    bool covered = true;
    for (int i = 0; i < part->ndims; i++) {
        if (a[i] >= b[i] + by->shape[i].n || b[i] >= a[i] + part->shape[i].n)
            return APART;
        covered &= b[i] <= a[i] && a[i] + part->shape[i].n <= b[i] + by->shape[i].n;
    }
    return covered ? COVERED : OVERLAP;
}

/* ---- dependences ---- */

static void wait_for(struct chip_machine *m, struct chip_task *t, int pred)
{
    vec_foreach (const int, known, &t->preds)
        if (*known == pred)
            return;
    vec_push(m->arena, &t->preds, pred);
}

/* A task that reads waits for the writers of what overlaps. */
static void wait_for_writers(struct chip_machine *m, struct chip_task *t,
                             const struct chip_argument *a)
{
    vec_foreach (const struct chip_writer, w, &m->writers)
        if (w->part.buffer == a->tensor.buffer && relate(&w->part, &a->tensor) != APART)
            wait_for(m, t, w->task);
}

/* A task that updates stands for the writers of what it covers. */
static void note_writer(struct chip_machine *m, int task, const struct chip_argument *a)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->writers.len; i++) {
        const struct chip_writer *w = &m->writers.items[i];
        bool replaced = a->way == CHIP_INOUT && w->part.buffer == a->tensor.buffer &&
                        relate(&w->part, &a->tensor) == COVERED;
        if (!replaced)
            m->writers.items[kept++] = *w;
    }
    m->writers.len = kept;
    vec_push(m->arena, &m->writers, ((struct chip_writer){task, a->tensor}));
}

static bool by_data(const struct chip_machine *m, const struct chip_argument *a)
{
    return !m->manual && a->way != CHIP_NO_DEP && !m->run->buffers.items[a->tensor.buffer].manual;
}

bool chip_submit(struct chip_machine *m, struct chip_launch *l, const int kernels[3],
                 struct span at, struct chip_value *out)
{
    int number = (int)m->run->tasks.len;
    struct chip_task t = {.blocks = l->blocks, .at = at};
    struct chip_list *outputs = arena_new(m->arena, struct chip_list);
    if (number >= RUN_MAX_TASKS)
        return chip_stop(m, at, "it submits more than %d tasks", RUN_MAX_TASKS);
    memcpy(t.kernels, kernels, sizeof t.kernels);
    vec_foreach (const struct chip_argument, a, &l->args)
        vec_push(m->arena, &t.args, *a);
    vec_foreach (const struct chip_number, n, &l->scalars)
        vec_push(m->arena, &t.scalars, *n);
    vec_foreach (const int, pred, &l->deps)
        wait_for(m, &t, *pred);
    vec_foreach (const struct chip_argument, a, &t.args)
        if (by_data(m, a) && a->way != CHIP_OUTPUT)
            wait_for_writers(m, &t, a);
    vec_foreach (const struct chip_argument, a, &t.args)
        if (by_data(m, a) && a->way != CHIP_INPUT)
            note_writer(m, number, a);
    vec_push(m->arena, &m->run->tasks, t);
    outputs->task = number;
    vec_foreach (const struct chip_value, v, &l->created)
        vec_push(m->arena, &outputs->items, *v);
    *out = (struct chip_value){.kind = CHIP_LIST, .list = outputs};
    return true;
}
