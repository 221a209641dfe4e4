/* SPDX-License-Identifier: MIT */
/* Expressions of the orchestration. */
#include <stdarg.h>
#include <string.h>

#include "bench/campaign/orchestration_internal.h"

bool chip_stop(struct chip_machine *m, struct span at, const char *fmt, ...)
{
    va_list ap;
    if (m->run->stopped)
        return false;
    va_start(ap, fmt);
    m->run->why = arena_vprintf(m->arena, fmt, ap);
    va_end(ap);
    m->run->stopped = true;
    m->run->at = at;
    return false;
}

const struct chip_token *chip_token(const struct chip_machine *m)
{
    return &m->tokens.items[m->at];
}

static bool is_mark(const struct chip_machine *m, const char *mark)
{
    const struct chip_token *t = chip_token(m);
    return t->kind == CT_MARK && !strcmp(t->text, mark);
}

bool chip_take(struct chip_machine *m, const char *mark)
{
    bool is = is_mark(m, mark);
    m->at += is;
    return is;
}

bool chip_expect(struct chip_machine *m, const char *mark)
{
    return chip_take(m, mark) || chip_stop(m, chip_token(m)->span, "expected '%s' in front of '%s'",
                                           mark, chip_token(m)->text);
}

bool chip_step(struct chip_machine *m)
{
    return ++m->steps < CHIP_MAX_STEPS ||
           chip_stop(m, chip_token(m)->span, "it does not end within %d steps", CHIP_MAX_STEPS);
}

/* ---- numbers ---- */

struct chip_number chip_known(int64_t n)
{
    return (struct chip_number){.known = true, .n = n};
}

struct chip_number chip_unknown(const char *why, struct span at)
{
    return (struct chip_number){.why = why, .at = at};
}

struct chip_value chip_of_number(struct chip_number n)
{
    return (struct chip_value){.kind = CHIP_NUMBER, .number = n};
}

bool chip_needed(struct chip_machine *m, const struct chip_number *n, struct span at,
                 const char *what)
{
    if (n->known)
        return true;
    m->run->needs = m->run->stopped ? m->run->needs : n->needs;
    return chip_stop(m, n->at.line ? n->at : at, "%s is not known: %s", what, n->why);
}

struct chip_number chip_convert(struct chip_number n, const char *type)
{
    if (!n.known)
        return n;
    if (!strcmp(type, "int32_t") || !strcmp(type, "int"))
        n.n = (int32_t)(uint32_t)n.n;
    else if (!strcmp(type, "uint32_t"))
        n.n = (uint32_t)n.n;
    else if (!strcmp(type, "bool"))
        n.n = n.n != 0;
    return n;
}

static struct chip_number unknown_of(struct chip_number x, struct chip_number y)
{
    struct chip_number u = x.known ? y : x;
    u.symbol = NULL;
    return u;
}

struct chip_number chip_compute(const char *op, struct chip_number x, struct chip_number y,
                                struct span at)
{
    uint64_t a = (uint64_t)x.n, b = (uint64_t)y.n;
    bool divides = op[0] == '/' || op[0] == '%', shifts = !strcmp(op, "<<") || !strcmp(op, ">>");
    if (!x.known || !y.known)
        return unknown_of(x, y);
    if (divides && (y.n == 0 || y.n == -1))
        return chip_unknown("it divides by 0 or -1", at);
    if (shifts && b > 63)
        return chip_unknown("it shifts by more than 63", at);
    int64_t n = *op == '+'          ? (int64_t)(a + b)
                : *op == '-'        ? (int64_t)(a - b)
                : *op == '*'        ? (int64_t)(a * b)
                : *op == '/'        ? x.n / y.n
                : *op == '%'        ? x.n % y.n
                : !strcmp(op, "<<") ? (int64_t)(a << b)
                : !strcmp(op, ">>") ? x.n >> y.n
                : !strcmp(op, "<")  ? x.n < y.n
                : !strcmp(op, ">")  ? x.n > y.n
                : !strcmp(op, "<=") ? x.n <= y.n
                : !strcmp(op, ">=") ? x.n >= y.n
                : !strcmp(op, "==") ? x.n == y.n
                : !strcmp(op, "!=") ? x.n != y.n
                : !strcmp(op, "&&") ? x.n && y.n
                : !strcmp(op, "||") ? x.n || y.n
                : !strcmp(op, "&")  ? (int64_t)(a & b)
                : !strcmp(op, "|")  ? (int64_t)(a | b)
                                    : (int64_t)(a ^ b);
    return chip_known(n);
}

/* ---- variables ---- */

struct chip_variable *chip_find(struct chip_machine *m, const char *name)
{
    for (size_t i = m->variables.len; i-- > 0;)
        if (!strcmp(m->variables.items[i].name, name))
            return &m->variables.items[i];
    return NULL;
}

void chip_declare(struct chip_machine *m, const char *name, struct chip_value v)
{
    struct chip_variable x = {name, v};
    vec_push(m->arena, &m->variables, x);
}

/* ---- calls ---- */

static bool value(struct chip_machine *m, int level, struct chip_value *out);

bool chip_expression(struct chip_machine *m, struct chip_value *out)
{
    return value(m, 0, out);
}

bool chip_integer(struct chip_machine *m, struct chip_number *out)
{
    struct chip_value v;
    struct span at = chip_token(m)->span;
    if (!chip_expression(m, &v))
        return false;
    *out = v.number;
    return v.kind == CHIP_NUMBER || v.kind == CHIP_TASK ||
           chip_stop(m, at, "expected a number at '%s'", m->tokens.items[m->at - 1].text);
}

/* Behind the arguments of a call that is not looked into. */
static void skip_group(struct chip_machine *m)
{
    int partner = chip_token(m)->partner;
    if (partner > m->at)
        m->at = partner + 1;
}

/* <int64_t>, <std::pair<...>>; *last: its last word. */
static void template_words(struct chip_machine *m, const char **last)
{
    int depth = 0;
    *last = "";
    do {
        const struct chip_token *t = chip_token(m);
        bool mark = t->kind == CT_MARK;
        depth += mark && !strcmp(t->text, "<");
        depth -= mark ? !strcmp(t->text, ">") + 2 * !strcmp(t->text, ">>") : 0;
        if (t->kind == CT_WORD)
            *last = t->text;
        if (t->kind == CT_END)
            return;
        m->at++;
    } while (depth > 0);
}

static bool one_argument(struct chip_machine *m, struct chip_number *out)
{
    return chip_expect(m, "(") && chip_integer(m, out) && chip_expect(m, ")");
}

/* std::min, std::max */
static bool extreme(struct chip_machine *m, bool largest, struct chip_number *out)
{
    struct chip_number x, y;
    if (!chip_expect(m, "(") || !chip_integer(m, &x) || !chip_expect(m, ",") ||
        !chip_integer(m, &y) || !chip_expect(m, ")"))
        return false;
    if (!x.known || !y.known)
        *out = unknown_of(x, y);
    else
        *out = (x.n > y.n) == largest ? x : y;
    return true;
}

/* alloc_tensors(a_ci, b_ci) */
static bool allocate(struct chip_machine *m, struct chip_value *out)
{
    struct chip_list *list = arena_new(m->arena, struct chip_list);
    list->task = -1;
    if (!chip_expect(m, "("))
        return false;
    do {
        struct chip_value v;
        struct span at = chip_token(m)->span;
        const char *name = chip_token(m)->text;
        if (!chip_expression(m, &v))
            return false;
        if (v.kind != CHIP_INFO)
            return chip_stop(m, at, "expected what a tensor is created from");
        size_t n = strlen(name);
        if (n > 3 && !strcmp(name + n - 3, "_ci"))
            name = arena_strndup(m->arena, name, n - 3);
        struct chip_value t = {.kind = CHIP_TENSOR, .tensor = chip_create(m, v.info, name)};
        vec_push(m->arena, &list->items, t);
    } while (chip_take(m, ","));
    *out = (struct chip_value){.kind = CHIP_LIST, .list = list};
    return chip_expect(m, ")");
}

static bool kernel_numbers(struct chip_machine *m, const struct chip_value *v, const char *way,
                           struct span at, int out[3])
{
    bool vector = !strcmp(way, "rt_submit_aiv_task"), cube = !strcmp(way, "rt_submit_aic_task");
    for (int k = 0; k < 3; k++)
        out[k] = -1;
    if (vector || cube) {
        if (v->kind != CHIP_NUMBER || !chip_needed(m, &v->number, at, "the number of the kernel"))
            return chip_stop(m, at, "expected the number of a kernel");
        out[vector] = (int)v->number.n;
        return true;
    }
    if (v->kind != CHIP_LIST || v->list->items.len > 3)
        return chip_stop(m, at, "expected the kernels of a task");
    for (size_t k = 0; k < v->list->items.len; k++) {
        const struct chip_number *n = &v->list->items.items[k].number;
        if (!chip_needed(m, n, at, "the number of a kernel"))
            return false;
        out[k] = n->n < 0 ? -1 : (int)n->n;
    }
    return true;
}

/* rt_submit_aiv_task(8, params), rt_submit_task(mixed, params), rt_submit_dummy_task(params) */
static bool submit(struct chip_machine *m, const char *way, struct span at, struct chip_value *out)
{
    struct chip_value kernels, launch;
    int numbers[3] = {-1, -1, -1};
    bool dummy = !strcmp(way, "rt_submit_dummy_task");
    if (!chip_expect(m, "(") ||
        (!dummy && (!chip_expression(m, &kernels) ||
                    !kernel_numbers(m, &kernels, way, at, numbers) || !chip_expect(m, ","))) ||
        !chip_expression(m, &launch) || !chip_expect(m, ")"))
        return false;
    if (launch.kind != CHIP_LAUNCH)
        return chip_stop(m, at, "expected the arguments of a task");
    return chip_submit(m, launch.launch, numbers, at, out);
}

static bool call(struct chip_machine *m, const char *name, const struct chip_token *at,
                 struct chip_value *out)
{
    static const char *const casts[] = {"static_cast", "from_u64", "to_u64"};
    static const char *const ways[] = {"rt_submit_aiv_task", "rt_submit_aic_task", "rt_submit_task",
                                       "rt_submit_dummy_task"};
    const char *type = "";
    struct chip_number n;
    if (is_mark(m, "<"))
        template_words(m, &type);
    for (size_t i = 0; i < sizeof casts / sizeof *casts; i++)
        if (!strcmp(name, casts[i])) {
            bool ok = one_argument(m, &n);
            *out = chip_of_number(ok ? chip_convert(n, type) : chip_unknown("", at->span));
            return ok;
        }
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (!strcmp(name, ways[i]))
            return submit(m, name, at->span, out);
    if (!strcmp(name, "min") || !strcmp(name, "max")) {
        bool ok = extreme(m, !strcmp(name, "max"), &n);
        *out = chip_of_number(n);
        return ok;
    }
    if (!strcmp(name, "alloc_tensors"))
        return allocate(m, out);
    skip_group(m);
    *out = chip_of_number(chip_unknown(arena_printf(m->arena, "'%s'", name), at->span));
    return true;
}

/* ---- members ---- */

static struct chip_number *element(struct chip_machine *m, struct chip_number *all, int n,
                                   struct span at, struct chip_number index)
{
    if (!chip_needed(m, &index, at, "an index"))
        return NULL;
    if (index.n < 0 || index.n >= n) {
        chip_stop(m, at, "index %lld is out of range", (long long)index.n);
        return NULL;
    }
    return &all[index.n];
}

/* [n] behind shapes or strides of a tensor. */
static struct chip_number *extent(struct chip_machine *m, struct chip_tensor *t, bool stride)
{
    struct chip_number index;
    struct span at = chip_token(m)->span;
    if (!chip_expect(m, "[") || !chip_integer(m, &index) || !chip_expect(m, "]"))
        return NULL;
    return element(m, stride ? t->stride : t->shape, t->ndims < 0 ? PTO_MAX_DIMS : t->ndims, at,
                   index);
}

static bool numbers_of(struct chip_machine *m, struct chip_number *out, int *n)
{
    struct chip_value v;
    struct span at = chip_token(m)->span;
    if (!chip_expression(m, &v))
        return false;
    if (v.kind != CHIP_LIST || v.list->items.len > PTO_MAX_DIMS)
        return chip_stop(m, at, "expected a list of at most %d extents", PTO_MAX_DIMS);
    *n = (int)v.list->items.len;
    for (int i = 0; i < *n; i++)
        out[i] = v.list->items.items[i].number;
    return true;
}

/* x.reshape(shapes, ndims) */
static bool reshape(struct chip_machine *m, struct chip_tensor *t)
{
    struct chip_number ndims;
    struct span at = chip_token(m)->span;
    if (!numbers_of(m, t->shape, &t->ndims) || !chip_expect(m, ",") || !chip_integer(m, &ndims))
        return false;
    if (!ndims.known || ndims.n != t->ndims)
        return chip_stop(m, at, "the number of extents is another one");
    chip_dense(t);
    return true;
}

/* x.view(shapes, offsets) */
static bool view(struct chip_machine *m, struct chip_tensor *t)
{
    struct chip_number shape[PTO_MAX_DIMS], offset[PTO_MAX_DIMS];
    int n = 0, k = 0;
    struct span at = chip_token(m)->span;
    if (!numbers_of(m, shape, &n) || !chip_expect(m, ",") || !numbers_of(m, offset, &k))
        return false;
    if (n != k || (t->ndims >= 0 && n != t->ndims))
        return chip_stop(m, at, "a part of %d dimensions of a tensor of %d", n, t->ndims);
    for (int i = 0; i < n; i++) {
        t->shape[i] = shape[i];
        t->at = chip_compute("+", t->at, chip_compute("*", offset[i], t->stride[i], at), at);
    }
    return true;
}

/* x.transpose(a, b) */
static bool transpose(struct chip_machine *m, struct chip_tensor *t)
{
    struct chip_number a, b;
    struct span at = chip_token(m)->span;
    if (!chip_integer(m, &a) || !chip_expect(m, ",") || !chip_integer(m, &b))
        return false;
    if (!a.known || !b.known || a.n < 0 || b.n < 0 || a.n >= t->ndims || b.n >= t->ndims)
        return chip_stop(m, at, "expected two dimensions of the tensor");
    struct chip_number shape = t->shape[a.n], stride = t->stride[a.n];
    t->shape[a.n] = t->shape[b.n];
    t->stride[a.n] = t->stride[b.n];
    t->shape[b.n] = shape;
    t->stride[b.n] = stride;
    return true;
}

static bool tensor_member(struct chip_machine *m, const char *name, struct span at,
                          struct chip_value *v)
{
    static const struct {
        const char *name;
        bool (*fn)(struct chip_machine *m, struct chip_tensor *t);
    } views[] = {{"reshape", reshape}, {"view", view}, {"transpose", transpose}};
    if (!strcmp(name, "ref"))
        return chip_expect(m, "(") && chip_expect(m, ")");
    bool shapes = !strcmp(name, "shapes"), strides = !strcmp(name, "strides");
    if (shapes || strides) {
        const struct chip_number *n = extent(m, v->tensor, strides);
        *v = chip_of_number(n ? *n : chip_unknown("", at));
        return n != NULL;
    }
    if (!strcmp(name, "numel")) {
        *v = chip_of_number(chip_count(v->tensor));
        return chip_expect(m, "(") && chip_expect(m, ")");
    }
    if (!strcmp(name, "ndims")) {
        *v = chip_of_number(v->tensor->ndims < 0 ? chip_unknown("the host does not say it", at)
                                                 : chip_known(v->tensor->ndims));
        return true;
    }
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (!strcmp(name, views[i].name)) {
            struct chip_tensor *part = arena_dup(m->arena, v->tensor, sizeof *part);
            part->host = -1;
            v->tensor = part;
            return chip_expect(m, "(") && views[i].fn(m, part) && chip_expect(m, ")");
        }
    return chip_stop(m, at, "'%s' of a tensor is not read", name);
}

/* orch_args.tensor(N), orch_args.scalar(N) */
static bool host_member(struct chip_machine *m, const char *name, struct span at,
                        struct chip_value *v)
{
    struct chip_number n;
    bool tensor = !strcmp(name, "tensor");
    if (!tensor && strcmp(name, "scalar") != 0)
        return chip_stop(m, at, "'%s' of the program's arguments is not read", name);
    if (!one_argument(m, &n) || !chip_needed(m, &n, at, "the number of an argument"))
        return false;
    if (tensor) {
        *v = (struct chip_value){.kind = CHIP_TENSOR, .tensor = chip_host_tensor(m, n.n)};
        return v->tensor || chip_stop(m, at, "the host hands over no tensor %lld", (long long)n.n);
    }
    *v = chip_of_number(chip_host_scalar(m, n.n, at));
    return true;
}

static bool list_member(struct chip_machine *m, const char *name, struct span at,
                        struct chip_value *v)
{
    struct chip_number n;
    struct chip_list *l = v->list;
    if (!strcmp(name, "task_id")) {
        *v = (struct chip_value){.kind = CHIP_TASK, .number = chip_known(l->task)};
        return chip_expect(m, "(") && chip_expect(m, ")");
    }
    if (strcmp(name, "get_ref") != 0)
        return chip_stop(m, at, "'%s' of the outputs of a task is not read", name);
    if (!one_argument(m, &n) || !chip_needed(m, &n, at, "the number of an output"))
        return false;
    if (n.n < 0 || n.n >= (int64_t)l->items.len)
        return chip_stop(m, at, "there is no output %lld", (long long)n.n);
    *v = l->items.items[n.n];
    return true;
}

static bool member(struct chip_machine *m, struct chip_value *v)
{
    const struct chip_token *t = chip_token(m);
    m->at += t->kind == CT_WORD;
    switch (v->kind) {
    case CHIP_TENSOR:
        return tensor_member(m, t->text, t->span, v);
    case CHIP_HOST:
        return host_member(m, t->text, t->span, v);
    case CHIP_LIST:
        return list_member(m, t->text, t->span, v);
    case CHIP_TASK:
        if (strcmp(t->text, "is_valid") != 0)
            break;
        *v = chip_of_number(chip_known(v->number.n >= 0));
        return chip_expect(m, "(") && chip_expect(m, ")");
    case CHIP_NUMBER:
        if (v->number.known)
            break;
        skip_group(m); /* of what is not known: neither is that */
        return true;
    default:
        break;
    }
    return chip_stop(m, t->span, "'%s' is not read here", t->text);
}

/* list[n] */
static bool subscript(struct chip_machine *m, struct chip_value *v)
{
    struct chip_number n;
    struct span at = chip_token(m)->span;
    if (!chip_integer(m, &n) || !chip_expect(m, "]") || !chip_needed(m, &n, at, "an index"))
        return false;
    if (v->kind != CHIP_LIST || n.n < 0 || n.n >= (int64_t)v->list->items.len)
        return chip_stop(m, at, "there is no element %lld", (long long)n.n);
    *v = v->list->items.items[n.n];
    return true;
}

/* ---- expressions ---- */

/* Operators of a level and above; one row a level, loosest first. */
static const char *const levels[][6] = {
    {"||"},       {"&&"},     {"|"},          {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">="},
    {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
enum { NLEVELS = sizeof levels / sizeof *levels, MAX_NESTED = CHIP_MAX_DEPTH * NLEVELS };

/* TaskId::invalid(), std::min<int64_t>(a, b), INVALID_KERNEL_ID, a variable, or a call. */
static bool named(struct chip_machine *m, struct chip_value *out)
{
    const struct chip_token *t = chip_token(m);
    const char *name = t->text;
    m->at++;
    while (chip_take(m, "::")) {
        name = chip_token(m)->text;
        m->at += chip_token(m)->kind == CT_WORD;
    }
    if (!strcmp(name, "invalid") && chip_take(m, "(")) {
        *out = (struct chip_value){.kind = CHIP_TASK, .number = chip_known(-1)};
        return chip_expect(m, ")");
    }
    const struct chip_variable *v = chip_find(m, name);
    if (v) {
        *out = v->value;
        return true;
    }
    if (is_mark(m, "(") || is_mark(m, "<"))
        return call(m, name, t, out);
    bool truth = !strcmp(name, "true");
    if (truth || !strcmp(name, "false"))
        *out = chip_of_number(chip_known(truth));
    else if (!strcmp(name, "INVALID_KERNEL_ID"))
        *out = chip_of_number(chip_known(-1));
    else
        *out = chip_of_number(chip_unknown(arena_printf(m->arena, "'%s'", name), t->span));
    return true;
}

/* (int64_t)x, in front of an operand. */
static const char *cast_type(const struct chip_machine *m)
{
    static const char *const types[] = {"int64_t", "uint64_t", "int32_t", "uint32_t",
                                        "int",     "size_t",   "bool",    "float"};
    const struct chip_token *t = chip_token(m);
    if (t[0].kind != CT_MARK || strcmp(t[0].text, "(") != 0 || t[0].partner != m->at + 2)
        return NULL;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strcmp(t[1].text, types[i]))
            return types[i];
    return NULL;
}

/* A value without operators in front, and members and elements of it. */
static bool primary(struct chip_machine *m, struct chip_value *out)
{
    const struct chip_token *t = chip_token(m);
    bool ok = true;
    if (chip_take(m, "("))
        ok = chip_expression(m, out) && chip_expect(m, ")");
    else if (t->kind == CT_WORD)
        ok = named(m, out);
    else if (t->kind == CT_NUMBER || t->kind == CT_FLOAT || t->kind == CT_STRING) {
        m->at++;
        *out = chip_of_number(t->kind == CT_NUMBER ? chip_known(t->number)
                                                   : chip_unknown("it is no integer", t->span));
    } else
        ok = chip_stop(m, t->span, "expected a value at '%s'", t->text);
    while (ok && (is_mark(m, ".") || is_mark(m, "[")))
        ok = chip_take(m, ".") ? member(m, out) : chip_take(m, "[") && subscript(m, out);
    return ok;
}

static bool operand(struct chip_machine *m, struct chip_value *out)
{
    struct span at = chip_token(m)->span;
    const char *type = cast_type(m);
    bool minus = is_mark(m, "-"), not = is_mark(m, "!");
    if (!type && !minus && !not )
        return primary(m, out);
    if (++m->depth > MAX_NESTED)
        return chip_stop(m, at, "it is nested too deeply");
    m->at += type ? 3 : 1;
    bool ok = operand(m, out);
    m->depth--;
    out->number = type ? chip_convert(out->number, type)
                       : chip_compute(minus ? "-" : "==", chip_known(0), out->number, at);
    return ok;
}

static const char *operator_at(const struct chip_machine *m, int level)
{
    for (int i = 0; levels[level][i]; i++)
        if (is_mark(m, levels[level][i]))
            return levels[level][i];
    return NULL;
}

/* Behind a condition: ? a : b. */
static bool choose(struct chip_machine *m, struct chip_value *v)
{
    struct chip_value yes, no;
    struct chip_number c = v->number;
    if (!value(m, 0, &yes) || !chip_expect(m, ":") || !value(m, 0, &no))
        return false;
    *v = !c.known ? chip_of_number(c) : c.n ? yes : no;
    return true;
}

static bool value(struct chip_machine *m, int level, struct chip_value *out)
{
    struct span at = chip_token(m)->span;
    if (level == NLEVELS)
        return operand(m, out);
    if (++m->depth > MAX_NESTED)
        return chip_stop(m, at, "it is nested too deeply");
    bool ok = value(m, level + 1, out);
    for (const char *op; ok && (op = operator_at(m, level));) {
        struct chip_value right;
        m->at++;
        ok = value(m, level + 1, &right);
        bool numbers = ok && out->kind != CHIP_LIST && right.kind != CHIP_LIST;
        if (ok)
            *out = chip_of_number(numbers ? chip_compute(op, out->number, right.number, at)
                                          : chip_unknown("it is no number", at));
    }
    if (ok && level == 0 && chip_take(m, "?"))
        ok = choose(m, out);
    m->depth--;
    return ok;
}

/* ---- places ---- */

/* list[n], list[n++] */
static struct chip_value *list_place(struct chip_machine *m, struct chip_list *l)
{
    struct chip_number n;
    struct span at = chip_token(m)->span;
    if (!chip_integer(m, &n))
        return NULL;
    if (chip_take(m, "++")) {
        struct chip_variable *counter = chip_find(m, m->tokens.items[m->at - 2].text);
        if (counter)
            counter->value.number = chip_compute("+", n, chip_known(1), at);
    }
    if (!chip_expect(m, "]") || !chip_needed(m, &n, at, "an index"))
        return NULL;
    if (n.n < 0 || n.n >= (int64_t)l->items.len) {
        chip_stop(m, at, "there is no element %lld", (long long)n.n);
        return NULL;
    }
    return &l->items.items[n.n];
}

struct chip_value *chip_place(struct chip_machine *m, struct chip_number **number)
{
    const struct chip_token *t = chip_token(m);
    struct chip_variable *v = t->kind == CT_WORD ? chip_find(m, t->text) : NULL;
    *number = NULL;
    if (!v) {
        chip_stop(m, t->span, "the statement at '%s' is not read", t->text);
        return NULL;
    }
    m->at++;
    if (v->value.kind == CHIP_LIST && chip_take(m, "["))
        return list_place(m, v->value.list);
    if (v->value.kind == CHIP_TENSOR && chip_take(m, ".")) {
        const char *name = chip_token(m)->text;
        struct chip_tensor *own = arena_dup(m->arena, v->value.tensor, sizeof *own);
        own->host = -1;
        v->value.tensor = own;
        m->at++;
        if (!strcmp(name, "shapes") || !strcmp(name, "strides"))
            *number = extent(m, own, !strcmp(name, "strides"));
        else
            chip_stop(m, t->span, "'%s' of a tensor is not assigned here", name);
        return *number ? &v->value : NULL;
    }
    if (!v->value.number.known && v->value.kind == CHIP_NUMBER && chip_take(m, ".")) {
        m->at++; /* of what is not known: neither is that */
        return &v->value;
    }
    *number = v->value.kind == CHIP_NUMBER ? &v->value.number : NULL;
    return &v->value;
}
