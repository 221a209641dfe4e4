/* SPDX-License-Identifier: MIT */
#include "codegen/bind.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/names.h"
#include "isa/program.h"

enum { MAX_DEPTH = 64, MAX_TASK_BLOCKS = 1024 };

/* ---- expressions ---- */

struct eval {
    const struct binding *b;
    const char *p;
    int rank, nranks, depth;
    const int64_t *element; /* `i`, or NULL */
    struct diag *d;
};

static bool fail(struct eval *e, const char *what)
{
    struct span at = {e->b->line, e->b->col + (int)(e->p - e->b->expr), 1};
    return diag_error(e->d, e->b->source, at, "in the value of '%s': %s", e->b->name, what);
}

static void skip_space(struct eval *e)
{
    e->p += strspn(e->p, " \t");
}

static bool take(struct eval *e, const char *token)
{
    skip_space(e);
    size_t n = strlen(token);
    if (strncmp(e->p, token, n))
        return false;
    e->p += n;
    return true;
}

static int64_t eval_level(struct eval *e, int level);

static int64_t eval_name(struct eval *e)
{
    size_t n = 0;
    while (isalnum((unsigned char)e->p[n]) || e->p[n] == '_')
        n++;
    const char *name = e->p;
    if (n == 4 && !strncmp(name, "rank", n))
        return e->p += n, e->rank;
    if (n == 6 && !strncmp(name, "nranks", n))
        return e->p += n, e->nranks;
    if (e->element && n == 1 && *name == 'i')
        return e->p += n, *e->element;
    return fail(e, e->element ? "expected an integer, 'rank', 'nranks', 'i' or '('"
                              : "expected an integer, 'rank', 'nranks' or '('");
}

static int64_t eval_atom(struct eval *e)
{
    if (++e->depth > MAX_DEPTH)
        return fail(e, "the expression is nested too deeply");
    skip_space(e);
    int64_t v;
    if (take(e, "(")) {
        v = eval_level(e, 0);
        if (!take(e, ")"))
            fail(e, "expected ')'");
    } else if (take(e, "-")) {
        v = alu_eval(ALU_NEG, eval_atom(e), 0, ELEM_I64, ELEM_I64);
    } else if (isdigit((unsigned char)*e->p)) {
        char *end;
        errno = 0;
        v = strtoll(e->p, &end, 10);
        if (errno)
            return fail(e, "the integer is too large");
        e->p = end;
    } else {
        v = eval_name(e);
    }
    e->depth--;
    return v;
}

static const struct {
    const char *token;
    int level;
    enum alu op;
} operators[] = {
    {"==", 0, ALU_EQ},       {"!=", 0, ALU_NE}, {"<=", 0, ALU_LE}, {">=", 0, ALU_GE},
    {"<", 0, ALU_LT},        {">", 0, ALU_GT},  {"+", 1, ALU_ADD}, {"-", 1, ALU_SUB},
    {"//", 2, ALU_FLOORDIV}, {"*", 2, ALU_MUL}, {"%", 2, ALU_MOD},
};

static bool take_operator(struct eval *e, int level, enum alu *op)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (operators[i].level == level && take(e, operators[i].token)) {
            *op = operators[i].op;
            return true;
        }
    return false;
}

static int64_t eval_level(struct eval *e, int level)
{
    if (level == 3)
        return eval_atom(e);
    int64_t v = eval_level(e, level + 1);
    enum alu op;
    while (!e->d->failed && take_operator(e, level, &op)) {
        int64_t rhs = eval_level(e, level + 1);
        if ((op == ALU_FLOORDIV || op == ALU_MOD) && rhs == 0)
            return fail(e, "division by zero");
        v = alu_eval(op, v, rhs, ELEM_I64, ELEM_I64);
    }
    return v;
}

static bool eval_whole(struct eval *e, int64_t *out)
{
    *out = eval_level(e, 0);
    skip_space(e);
    if (!e->d->failed && *e->p)
        fail(e, "expected an operator or the end of the expression");
    return !e->d->failed;
}

bool binding_eval(struct arena *a, const struct binding *b, int rank, int nranks, int64_t *out,
                  struct diag *d)
{
    (void)a;
    struct eval e = {.b = b, .p = b->expr, .rank = rank, .nranks = nranks, .d = d};
    return eval_whole(&e, out);
}

bool binding_eval_element(const struct binding *b, int rank, int nranks, int64_t element,
                          int64_t *out, struct diag *d)
{
    struct eval e = {
        .b = b, .p = b->expr, .rank = rank, .nranks = nranks, .element = &element, .d = d};
    return eval_whole(&e, out);
}

/* ---- directives ---- */

struct directive_scan {
    struct arena *arena;
    const struct source *src;
    struct directives *out;
    struct diag *d;
    bool compiled; /* of a compiled kernel */
    int line;
    const char *line_start;
};

static struct span span_at(const struct directive_scan *s, const char *p, size_t len)
{
    return (struct span){s->line, (int)(p - s->line_start) + 1, (int)len};
}

size_t bind_name_length(const char *p)
{
    size_t n = 0;
    if (isalpha((unsigned char)*p) || *p == '_')
        while (isalnum((unsigned char)p[n]) || p[n] == '_')
            n++;
    return n;
}

static struct directive_name name_at(const struct directive_scan *s, const char *p, size_t len)
{
    return (struct directive_name){arena_strndup(s->arena, p, len), span_at(s, p, len)};
}

/* True when a comma says that another entry follows; anything else but the end is an error. */
static bool scan_comma(struct directive_scan *s, const char **p, const char *end, const char *what)
{
    if (*p >= end)
        return false;
    if (**p != ',')
        return diag_error(s->d, s->src, span_at(s, *p, 1), "expected ',' between %s", what);
    *p += 1 + strspn(*p + 1, " \t");
    return true;
}

static bool scan_ranks(struct directive_scan *s, const char *p, const char *end)
{
    do {
        char *stop;
        long v = strtol(p, &stop, 10);
        if (p >= end || stop == p || v < 1 || v > MAX_RANKS)
            return diag_error(s->d, s->src, span_at(s, p, 1), "expected a rank count from 1 to %d",
                              MAX_RANKS);
        vec_push(s->arena, &s->out->ranks, (int)v);
        p = stop + strspn(stop, " \t");
    } while (scan_comma(s, &p, end, "rank counts"));
    return !s->d->failed;
}

/* The name of an argument, of a compiled kernel with its function or task in front or not. */
static size_t argument_length(const struct directive_scan *s, const char *p)
{
    size_t n = bind_name_length(p);
    size_t more = s->compiled && n && p[n] == '.' ? bind_name_length(p + n + 1) : 0;
    return more ? n + 1 + more : n;
}

static bool scan_binding(struct directive_scan *s, const char *word, const char *p, const char *end)
{
    size_t n = argument_length(s, p);
    const char *q = p + n + strspn(p + n, " \t");
    if (!n || q >= end || *q != '=')
        return diag_error(s->d, s->src, span_at(s, p, n ? n : 1), "expected '%s NAME=EXPRESSION'",
                          *word ? word : "arg");
    q += 1 + strspn(q + 1, " \t");
    const char *name = ir_shown_name(s->arena, arena_strndup(s->arena, p, n));
    struct binding b = {.name = *word ? arena_printf(s->arena, "%s %s", word, name) : name,
                        .at = span_at(s, p, n),
                        .source = s->src,
                        .line = s->line,
                        .col = (int)(q - s->line_start) + 1,
                        .expr = arena_strndup(s->arena, q, (size_t)(end - q))};
    vec_push(s->arena, &s->out->args, b);
    return true;
}

static bool scan_arg(struct directive_scan *s, const char *p, const char *end)
{
    return scan_binding(s, "", p, end);
}

static bool scan_size(struct directive_scan *s, const char *p, const char *end)
{
    return scan_binding(s, "size", p, end);
}

static bool scan_dim(struct directive_scan *s, const char *p, const char *end)
{
    return scan_binding(s, "dim", p, end);
}

static bool scan_init(struct directive_scan *s, const char *p, const char *end)
{
    return scan_binding(s, "init", p, end);
}

static bool scan_argument(struct directive_scan *s, const char **p, const char *end,
                          struct directive_name *out)
{
    size_t n = *p < end ? argument_length(s, *p) : 0;
    if (!n)
        return diag_error(s->d, s->src, span_at(s, *p, 1),
                          "expected the name of an argument, as in arg2");
    *out = name_at(s, *p, n);
    *p += n + strspn(*p + n, " \t");
    return true;
}

/* Names one behind the other; value: what each is bound to. */
static bool scan_roles(struct directive_scan *s, const char *p, const char *end, const char *word,
                       const char *value)
{
    do {
        struct directive_name name;
        if (!scan_argument(s, &p, end, &name))
            return false;
        struct binding b = {.name = arena_printf(s->arena, "%s %s", word, name.name),
                            .at = name.span,
                            .source = s->src,
                            .line = s->line,
                            .col = name.span.col,
                            .expr = value};
        vec_push(s->arena, &s->out->args, b);
    } while (scan_comma(s, &p, end, "names"));
    return !s->d->failed;
}

static bool scan_window(struct directive_scan *s, const char *p, const char *end)
{
    return scan_roles(s, p, end, "window", "1");
}

static bool scan_local(struct directive_scan *s, const char *p, const char *end)
{
    return scan_roles(s, p, end, "window", "0");
}

static bool scan_direction(struct directive_scan *s, const char *p, const char *end,
                           enum bind_direction direction)
{
    return scan_roles(s, p, end, "direction", arena_printf(s->arena, "%d", (int)direction));
}

static bool scan_in(struct directive_scan *s, const char *p, const char *end)
{
    return scan_direction(s, p, end, BIND_IN);
}

static bool scan_out(struct directive_scan *s, const char *p, const char *end)
{
    return scan_direction(s, p, end, BIND_OUT);
}

static bool scan_inout(struct directive_scan *s, const char *p, const char *end)
{
    return scan_direction(s, p, end, BIND_INOUT);
}

static bool scan_end(struct directive_scan *s, const char *p, const char *end)
{
    return p >= end || diag_error(s->d, s->src, span_at(s, p, 1), "expected the end of the line");
}

/* Two arguments with a word between them. */
static bool scan_pair(struct directive_scan *s, const char *p, const char *end, const char *between,
                      directive_pairs *out)
{
    size_t n = strlen(between);
    struct directive_pair pair = {.source = s->src};
    if (!scan_argument(s, &p, end, &pair.one))
        return false;
    if (end - p < (ptrdiff_t)n || strncmp(p, between, n) != 0 ||
        (isalpha((unsigned char)*between) && bind_name_length(p) != n))
        return diag_error(s->d, s->src, span_at(s, p, 1), "expected '%s' and an argument", between);
    p += n + strspn(p + n, " \t");
    if (!scan_argument(s, &p, end, &pair.other) || !scan_end(s, p, end))
        return false;
    vec_push(s->arena, out, pair);
    return true;
}

static bool scan_ctx(struct directive_scan *s, const char *p, const char *end)
{
    return scan_pair(s, p, end, "of", &s->out->contexts);
}

static bool scan_join(struct directive_scan *s, const char *p, const char *end)
{
    return scan_pair(s, p, end, "=", &s->out->joins);
}

/* "4096=64, 512=8": each divides what it stands for. */
static bool scan_scale(struct directive_scan *s, const char *p, const char *end)
{
    do {
        char *stop;
        errno = 0;
        int64_t from = strtoll(p, &stop, 10), to = 0;
        const char *q = stop + strspn(stop, " \t");
        if (isdigit((unsigned char)*p) && q < end && *q == '=') {
            q += 1 + strspn(q + 1, " \t");
            to = isdigit((unsigned char)*q) ? strtoll(q, &stop, 10) : 0;
        }
        if (errno || to < 1 || from > INT32_MAX || stop > end)
            return diag_error(s->d, s->src, span_at(s, p, 1),
                              "expected 'scale NUMBER=SMALLER', as in 4096=64");
        if (from <= to || from % to)
            return diag_error(s->d, s->src, span_at(s, p, (size_t)(stop - p)),
                              "%lld is no whole multiple of %lld, two times and more",
                              (long long)from, (long long)to);
        struct directive_number scale = {from, to, span_at(s, p, (size_t)(stop - p)), s->src};
        vec_push(s->arena, &s->out->scales, scale);
        p = stop + strspn(stop, " \t");
    } while (scan_comma(s, &p, end, "constants"));
    return !s->d->failed;
}

/* The word at p, up to a blank or comma; of compiled kernels it may be a file's name. */
static size_t task_length(const struct directive_scan *s, const char *p, const char *end)
{
    size_t n = s->compiled ? strcspn(p, " \t\r\n,") : bind_name_length(p);
    return p < end ? n : 0;
}

static bool at_word(const char *p, const char *end, const char *word)
{
    size_t n = strlen(word);
    return end - p > (ptrdiff_t)n && !strncmp(p, word, n) && (p[n] == ' ' || p[n] == '\t');
}

/* Names with blanks between them. */
static bool scan_after(struct directive_scan *s, const char **p, const char *end,
                       struct directive_task *t)
{
    t->ordered = true;
    for (size_t n; (n = task_length(s, *p, end)); *p += n + strspn(*p + n, " \t"))
        vec_push(s->arena, &t->after, name_at(s, *p, n));
    return t->after.len ||
           diag_error(s->d, s->src, span_at(s, *p, 1), "expected tasks to wait for, or 'nothing'");
}

static bool scan_block_count(struct directive_scan *s, const char **p, const char *end, int *out)
{
    char *stop;
    long n = strtol(*p, &stop, 10);
    if (stop == *p || stop > end || n < 1 || n > MAX_TASK_BLOCKS)
        return diag_error(s->d, s->src, span_at(s, *p, 1), "expected 1 to %d blocks",
                          MAX_TASK_BLOCKS);
    *out = (int)n;
    *p = stop + strspn(stop, " \t");
    return true;
}

static bool scan_blocks(struct directive_scan *s, const char *p, const char *end)
{
    int n;
    const char *start = p;
    if (!scan_block_count(s, &p, end, &n))
        return false;
    s->out->blocks =
        (struct directive_number){0, n, span_at(s, start, (size_t)(p - start)), s->src};
    return scan_end(s, p, end);
}

/* "NAME [blocks N] [after NAME NAME]" */
static bool scan_task(struct directive_scan *s, const char **p, const char *end)
{
    size_t n = task_length(s, *p, end);
    if (!n)
        return diag_error(s->d, s->src, span_at(s, *p, 1), "expected a function name");
    struct directive_name name = name_at(s, *p, n);
    struct directive_task t = {.name = name.name, .source = s->src, .span = name.span};
    *p += n + strspn(*p + n, " \t");
    if (s->compiled && at_word(*p, end, "blocks")) {
        *p += strlen("blocks") + strspn(*p + strlen("blocks"), " \t");
        if (!scan_block_count(s, p, end, &t.blocks))
            return false;
    }
    if (s->compiled && at_word(*p, end, "after")) {
        *p += strlen("after") + strspn(*p + strlen("after"), " \t");
        if (!scan_after(s, p, end, &t))
            return false;
    }
    vec_push(s->arena, &s->out->tasks, t);
    return true;
}

static bool scan_tasks(struct directive_scan *s, const char *p, const char *end)
{
    do {
        if (!scan_task(s, &p, end))
            return false;
    } while (scan_comma(s, &p, end, "function names"));
    return !s->d->failed;
}

static bool scan_payload(struct directive_scan *s, const char *p, const char *end)
{
    size_t n = bind_name_length(p);
    if (!n || p + n != end)
        return diag_error(s->d, s->src, span_at(s, p, 1), "expected the name of a module constant");
    s->out->payload = name_at(s, p, n);
    return true;
}

/* "-L36.fence " */
static bool scan_removed(struct directive_scan *s, const char **p, const char *end,
                         struct expectation *x)
{
    char *stop;
    const char *q = *p + 2;
    if (**p != '-')
        return true;
    long line = (*p)[1] == 'L' && isdigit((unsigned char)*q) ? strtol(q, &stop, 10) : 0;
    if (line < 1 || line > INT32_MAX)
        return diag_error(s->d, s->src, span_at(s, *p, 1),
                          "expected the line of a site that is removed, as in -L36.fence");
    x->line = (int)line;
    if (*stop == '.') {
        size_t n = bind_name_length(++stop);
        if (!n)
            return diag_error(s->d, s->src, span_at(s, stop, 1), "expected the name of a site");
        x->site = arena_strndup(s->arena, stop, n);
        stop += n;
    }
    *p = stop + strspn(stop, " \t");
    return *p <= end;
}

/* A word up to the next blank; false with an error at the end of the line. */
static bool scan_word(struct directive_scan *s, const char **p, const char *end, const char *what,
                      struct directive_name *out)
{
    size_t n = *p < end ? strcspn(*p, " \t\r\n") : 0;
    if (!n)
        return diag_error(s->d, s->src, span_at(s, *p, 1), "expected %s", what);
    *out = name_at(s, *p, n);
    *p += n + strspn(*p + n, " \t");
    return true;
}

static bool scan_expect(struct directive_scan *s, const char *p, const char *end)
{
    size_t n = (size_t)(end - p);
    struct expectation x = {.at = span_at(s, p, n), .text = arena_strndup(s->arena, p, n)};
    if (!scan_word(s, &p, end, "the name of a model", &x.model) || !scan_removed(s, &p, end, &x) ||
        !scan_word(s, &p, end, "'clean' or a verdict", &x.verdict))
        return false;
    if (!scan_end(s, p, end))
        return false;
    vec_push(s->arena, &s->out->expects, x);
    return true;
}

enum { KERNELS = 1, COMPILED = 2, ALL = KERNELS | COMPILED };

static const struct {
    const char *name;
    bool (*scan)(struct directive_scan *s, const char *p, const char *end);
    int where;
} kinds[] = {{"ranks", scan_ranks, ALL},        {"arg", scan_arg, ALL},
             {"tasks", scan_tasks, ALL},        {"payload", scan_payload, KERNELS},
             {"dim", scan_dim, COMPILED},       {"size", scan_size, COMPILED},
             {"window", scan_window, COMPILED}, {"ctx", scan_ctx, COMPILED},
             {"local", scan_local, COMPILED},   {"in", scan_in, COMPILED},
             {"out", scan_out, COMPILED},       {"inout", scan_inout, COMPILED},
             {"init", scan_init, COMPILED},     {"blocks", scan_blocks, COMPILED},
             {"join", scan_join, COMPILED},     {"scale", scan_scale, COMPILED},
             {"expect", scan_expect, ALL}};

enum { NKINDS = sizeof kinds / sizeof *kinds };

/* "'ranks', 'arg' or 'expect'", and the one that is meant. */
static bool unknown_directive(struct directive_scan *s, const char *p, size_t n)
{
    const char *names[NKINDS], *list = "";
    size_t count = 0;
    for (size_t i = 0; i < NKINDS; i++)
        if (kinds[i].where & (s->compiled ? COMPILED : KERNELS))
            names[count++] = kinds[i].name;
    for (size_t i = 0; i < count; i++)
        list = arena_printf(s->arena, "%s%s'%s'", list,
                            !i              ? ""
                            : i + 1 < count ? ", "
                                            : " or ",
                            names[i]);
    return diag_error(s->d, s->src, span_at(s, p, n ? n : 1), "expected %s%s", list,
                      diag_hint(s->arena, arena_strndup(s->arena, p, n), names, count));
}

static bool scan_directive(struct directive_scan *s, const char *p, const char *end)
{
    while (end > p && isspace((unsigned char)end[-1]))
        end--;
    size_t n = bind_name_length(p);
    const char *value = p + n + strspn(p + n, " \t");
    if (value > end)
        value = end;
    for (size_t i = 0; i < NKINDS; i++)
        if (kinds[i].where & (s->compiled ? COMPILED : KERNELS) && strlen(kinds[i].name) == n &&
            !strncmp(p, kinds[i].name, n)) {
            if (value == end)
                return diag_error(s->d, s->src, span_at(s, p, n), "'%s' needs a value",
                                  kinds[i].name);
            return kinds[i].scan(s, value, end);
        }
    return unknown_directive(s, p, n);
}

/* The length of lead at p when blanks do not count, or 0. */
static size_t loosely(const char *p, const char *lead)
{
    const char *start = p;
    for (; *lead; lead++) {
        if (*lead == ' ')
            continue;
        p += strspn(p, " \t");
        if (*p++ != *lead)
            return 0;
    }
    return (size_t)(p - start);
}

/* The line at p begins as lead does, but for a letter of its name. */
static bool misspelt(const char *p, const char *lead)
{
    size_t mark = strcspn(lead, "abcdefghijklmnopqrstuvwxyz"), name = strcspn(lead + mark, ":");
    char known[32];
    snprintf(known, sizeof known, "%.*s", (int)name, lead + mark);
    return !strncmp(p, lead, mark) && p[mark + bind_name_length(p + mark)] == ':' &&
           diag_is_typo(p + mark, bind_name_length(p + mark), known);
}

static bool scan_lines(struct directive_scan *s, const char *lead)
{
    size_t length = strlen(lead);
    for (const char *p = s->src->text; *p; s->line++) {
        size_t n = strcspn(p, "\n");
        s->line_start = p;
        if (!strncmp(p, lead, length)) {
            const char *q = p + length;
            if (!scan_directive(s, q + strspn(q, " \t"), p + n))
                return false;
        } else if (loosely(p, lead)) {
            size_t blank = strspn(p, " \t");
            return diag_error(s->d, s->src, span_at(s, p + blank, loosely(p, lead) - blank),
                              "a directive begins its line with '%s'", lead);
        } else if (misspelt(p, lead)) {
            return diag_error(s->d, s->src, span_at(s, p, n), "did you mean '%s'?", lead);
        }
        p += n + (p[n] == '\n');
    }
    return true;
}

bool directives_scan_behind(struct arena *a, const struct source *src, const char *lead,
                            struct directives *out, struct diag *d)
{
    struct directive_scan s = {
        .arena = a, .src = src, .out = out, .d = d, .compiled = true, .line = 1};
    return scan_lines(&s, lead);
}

bool directives_scan(struct arena *a, const struct source *src, struct directives *out,
                     struct diag *d)
{
    struct directive_scan s = {.arena = a, .src = src, .out = out, .d = d, .line = 1};
    return scan_lines(&s, "# fencebench:");
}

bool binding_parse(struct arena *a, const char *text, struct binding *out, struct diag *d)
{
    const struct source *src = source_from_string(a, "--arg", text);
    size_t n = bind_name_length(text),
           more = n && text[n] == '.' ? bind_name_length(text + n + 1) : 0;
    n += more ? 1 + more : 0; /* "push.arg4": of a compiled kernel */
    if (!n || text[n] != '=')
        return diag_error(d, src, (struct span){1, 1, 1},
                          "expected NAME=EXPRESSION, as in peer=(rank+1)%%nranks");
    *out = (struct binding){.name = ir_shown_name(a, arena_strndup(a, text, n)),
                            .at = {1, 1, (int)n},
                            .source = src,
                            .line = 1,
                            .col = (int)n + 2,
                            .expr = src->text + n + 1};
    return true;
}
