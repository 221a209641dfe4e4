/* SPDX-License-Identifier: MIT */
#include "bench/campaign/orchestration.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "codegen/bind.h"

enum { MAX_DEPTH = 64 };

struct statement {
    const char *text; /* without comments and the mark behind it */
    struct span at;
    bool conditional; /* in a loop or branch */
};

/* NAME = EXPRESSION; changed: it is assigned again. */
struct definition {
    const char *name, *expr;
    struct span at;
    bool changed;
};

/* ARGUMENTS.add_scalar(EXPRESSION), add_input(EXPRESSION), ... */
struct argument {
    const char *of, *expr;
    bool scalar;
    struct span at;
};

struct submission {
    int kernel;
    const char *arguments;
    bool conditional;
    struct span at;
};

struct orchestration {
    struct arena *arena;
    const struct source *chip;
    const recorded_tasks *tasks;
    VEC(struct definition) definitions;
    VEC(struct argument) arguments;
    VEC(struct submission) submissions;
    VEC(const char *) host; /* expressions of the chip's scalars */
};

/* ---- statements ---- */

struct splitter {
    struct orchestration *o;
    const char *p;
    int line, col, depth; /* depth: of brackets in the statement in hand */
    struct strbuf text;
    struct span at;
    VEC(bool) blocks; /* open ones: loops and branches */
};

static void note(struct orchestration *o, const struct statement *s);

static bool begins(const char *text, const char *word)
{
    size_t n = strlen(word);
    return !strncmp(text, word, n) && !isalnum((unsigned char)text[n]) && text[n] != '_';
}

static bool is_flow(const char *header)
{
    static const char *const words[] = {"for", "while", "if", "else", "switch", "do"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (begins(header, words[i]))
            return true;
    return false;
}

static bool in_flow(const struct splitter *s)
{
    vec_foreach (const bool, flow, &s->blocks)
        if (*flow)
            return true;
    return false;
}

static void finish(struct splitter *s)
{
    struct statement x = {s->text.len ? s->text.text : "", s->at, in_flow(s)};
    x.conditional |= is_flow(x.text);
    note(s->o, &x);
    s->text = strbuf_make(s->o->arena);
}

static void advance(struct splitter *s)
{
    s->col++;
    if (*s->p++ == '\n') {
        s->line++;
        s->col = 1;
    }
}

static void skip_line(struct splitter *s)
{
    while (*s->p && *s->p != '\n')
        advance(s);
}

/* A bracket of a block; one of an initial value is part of its statement. */
static bool block_mark(struct splitter *s)
{
    const char *header = s->text.len ? s->text.text : "";
    bool flow = is_flow(header), value = s->depth > 0 || (!flow && strchr(header, '='));
    if (*s->p == '{' && !value) {
        vec_push(s->o->arena, &s->blocks, flow);
        s->text = strbuf_make(s->o->arena);
        return true;
    }
    if (*s->p == '}' && s->depth == 0) {
        s->blocks.len -= s->blocks.len > 0;
        s->text = strbuf_make(s->o->arena);
        return true;
    }
    return false;
}

static void add_char(struct splitter *s)
{
    char c = *s->p;
    s->depth += strchr("([{", c) != NULL;
    s->depth -= strchr(")]}", c) && s->depth > 0;
    if (!s->text.len && isspace((unsigned char)c))
        return;
    if (!s->text.len)
        s->at = (struct span){s->line, s->col, 1};
    if (!isspace((unsigned char)c))
        strbuf_addn(&s->text, &c, 1);
    else if (s->text.text[s->text.len - 1] != ' ')
        strbuf_add(&s->text, " ");
}

static void split(struct orchestration *o, const struct source *src)
{
    struct splitter s = {
        .o = o, .p = src->text, .line = 1, .col = 1, .text = strbuf_make(o->arena)};
    while (*s.p) {
        if ((s.p[0] == '/' && s.p[1] == '/') || (*s.p == '#' && !s.text.len))
            skip_line(&s);
        else if (*s.p == ';' && s.depth == 0)
            finish(&s), advance(&s);
        else if (block_mark(&s))
            advance(&s);
        else
            add_char(&s), advance(&s);
    }
}

/* ---- what statements say ---- */

/* Up to the bracket that closes. */
static const char *inside(struct arena *a, const char *open)
{
    int depth = 0;
    const char *p = open;
    do {
        depth += *p == '(';
        depth -= *p == ')';
    } while (*p++ && depth > 0);
    return arena_strndup(a, open + 1, p - open >= 2 ? (size_t)(p - open - 2) : 0);
}

static struct definition *find_definition(struct orchestration *o, const char *name)
{
    vec_foreach (struct definition, d, &o->definitions)
        if (!strcmp(d->name, name))
            return d;
    return NULL;
}

/* The first '=' that assigns; *plain: without an operator in front. */
static const char *assignment(const char *text, bool *plain)
{
    for (const char *p = strchr(text, '='); p; p = strchr(p + 1, '=')) {
        char before = p > text ? p[-1] : ' ';
        if (p[1] == '=') {
            p++;
            continue;
        }
        if (strchr("!<>=", before))
            continue;
        *plain = !strchr("+-*/%|&^", before);
        return p;
    }
    return NULL;
}

static void note_definition(struct orchestration *o, const struct statement *s)
{
    bool plain;
    const char *eq = assignment(s->text, &plain);
    if (!eq)
        return;
    const char *end = eq - !plain, *begin;
    while (end > s->text && end[-1] == ' ')
        end--;
    for (begin = end; begin > s->text && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_');)
        begin--;
    if (begin == end || !bind_name_length(begin))
        return;
    const char *name = arena_strndup(o->arena, begin, (size_t)(end - begin));
    struct definition *known = find_definition(o, name);
    if (known) {
        known->changed = true;
        return;
    }
    struct definition d = {name, eq + 1 + strspn(eq + 1, " "), s->at, !plain || s->conditional};
    vec_push(o->arena, &o->definitions, d);
}

static void note_argument(struct orchestration *o, const struct statement *s)
{
    static const char *const ways[] = {".add_scalar(", ".add_input(", ".add_output(",
                                       ".add_inout("};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const char *at = strstr(s->text, ways[i]);
        if (!at || bind_name_length(s->text) != (size_t)(at - s->text))
            continue;
        struct argument x = {.of = arena_strndup(o->arena, s->text, (size_t)(at - s->text)),
                             .expr = inside(o->arena, at + strlen(ways[i]) - 1),
                             .scalar = i == 0,
                             .at = s->at};
        vec_push(o->arena, &o->arguments, x);
    }
}

/* The number of a kernel, or of the first of several that run at once. */
static int kernel_of(struct orchestration *o, const char *text)
{
    size_t n = bind_name_length(text);
    if (!n)
        return isdigit((unsigned char)*text) ? atoi(text) : -1;
    const struct definition *d = find_definition(o, arena_strndup(o->arena, text, n));
    const char *p = d ? d->expr + strcspn(d->expr, "0123456789") : "";
    return isdigit((unsigned char)*p) ? atoi(p) : -1;
}

static void note_submission(struct orchestration *o, const struct statement *s)
{
    static const char *const ways[] = {"rt_submit_aiv_task(", "rt_submit_aic_task(",
                                       "rt_submit_task("};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const char *at = strstr(s->text, ways[i]);
        if (!at)
            continue;
        const char *args = inside(o->arena, at + strlen(ways[i]) - 1), *comma = strchr(args, ',');
        if (!comma)
            continue;
        comma += 1 + strspn(comma + 1, " ");
        struct submission x = {kernel_of(o, args),
                               arena_strndup(o->arena, comma, bind_name_length(comma)),
                               s->conditional, s->at};
        vec_push(o->arena, &o->submissions, x);
    }
}

static void note(struct orchestration *o, const struct statement *s)
{
    note_argument(o, s);
    note_submission(o, s);
    note_definition(o, s);
}

/* Lines `NAME.add_scalar(EXPRESSION)`. */
static void read_host(struct orchestration *o, const struct source *host)
{
    static const char way[] = ".add_scalar(";
    for (const char *p = host->text; (p = strstr(p, way)); p += strlen(way))
        vec_push(o->arena, &o->host, inside(o->arena, p + strlen(way) - 1));
}

struct orchestration *orchestration_read(struct arena *a, const struct source *chip,
                                         const struct source *host, const recorded_tasks *tasks)
{
    struct orchestration *o = arena_new(a, struct orchestration);
    *o = (struct orchestration){.arena = a, .chip = chip, .tasks = tasks};
    split(o, chip);
    if (host)
        read_host(o, host);
    return o;
}

/* ---- which submission a recorded task is ---- */

static int order_of(const struct orchestration *o, int task, int *of)
{
    int order = 0;
    *of = 0;
    for (int i = 0; i < (int)o->tasks->len; i++)
        if (o->tasks->items[i].kernel == o->tasks->items[task].kernel) {
            order += i < task;
            ++*of;
        }
    return order;
}

/* The n-th of a kernel that is submitted as often as it was recorded. */
static const struct submission *submission_of(const struct orchestration *o, int task)
{
    int recorded, n = order_of(o, task, &recorded), written = 0;
    const struct submission *found = NULL;
    vec_foreach (const struct submission, s, &o->submissions)
        if (s->kernel == o->tasks->items[task].kernel) {
            found = written == n ? s : found;
            written++;
        }
    return found && written == recorded ? found : written == 1 ? found : NULL;
}

/* ---- values ---- */

struct value {
    struct orchestration *o;
    const char *p;
    const char *name; /* of the argument */
    struct span at;
    int rank, nranks, depth;
    struct diag *d;
};

static bool refuse(struct value *v, const char *what)
{
    return diag_error(v->d, v->o->chip, v->at,
                      "the value of %s is not read from here: %s; give --arg %s=EXPRESSION",
                      v->name, what, v->name);
}

static bool sum(struct value *v, int64_t *out);

static bool take(struct value *v, const char *word)
{
    v->p += strspn(v->p, " ");
    if (strncmp(v->p, word, strlen(word)) != 0)
        return false;
    v->p += strlen(word);
    return true;
}

static bool whole(struct value *outer, const char *expr, struct span at, int64_t *out)
{
    struct value v = *outer;
    v.p = expr;
    v.at = at;
    if (++v.depth > MAX_DEPTH)
        return refuse(outer, "it is nested too deeply");
    if (!sum(&v, out))
        return false;
    v.p += strspn(v.p, " ");
    return !*v.p || refuse(&v, arena_printf(v.o->arena, "'%s'", v.p));
}

/* The extent of a tensor that a recorded task was handed under that name. */
static bool extent(struct value *v, const char *tensor, int dim, int64_t *out)
{
    for (int t = 0; t < (int)v->o->tasks->len; t++) {
        const struct submission *s = submission_of(v->o, t);
        int at = 0;
        vec_foreach (const struct argument, x, &v->o->arguments) {
            if (!s || s->conditional || x->scalar || strcmp(x->of, s->arguments))
                continue;
            const struct recorded_task *task = &v->o->tasks->items[t];
            if (!strcmp(x->expr, tensor) && at < task->ntensors && dim < task->tensors[at].ndims) {
                *out = task->tensors[at].shape[dim];
                return true;
            }
            at++;
        }
    }
    return refuse(v, arena_printf(v->o->arena, "no recorded task has the tensor '%s'", tensor));
}

/* The scalar that the host gives the chip. */
static bool of_host(struct value *v, int n, int64_t *out)
{
    const char *expr = n >= 0 && n < (int)v->o->host.len ? v->o->host.items[n] : "";
    char *end;
    *out = strtoll(expr, &end, 10);
    if (*expr && !*end)
        return true;
    *out = v->rank;
    if (!strncmp(expr, "rank", 4) && bind_name_length(expr) == strlen(expr))
        return true;
    *out = v->nranks;
    return !strcmp(expr, "world_size") ||
           refuse(v, arena_printf(v->o->arena, "the host's scalar %d, '%s'", n, expr));
}

static bool named(struct value *v, const char *name, int64_t *out)
{
    int index;
    size_t n;
    if (sscanf(v->p, ".shapes[%d]", &index) == 1) {
        v->p = strchr(v->p, ']') + 1;
        return extent(v, name, index, out);
    }
    bool cast =
        !strcmp(name, "static_cast") || !strcmp(name, "from_u64") || !strcmp(name, "to_u64");
    if (cast) {
        if (take(v, "<"))
            v->p = strchr(v->p, '>') ? strchr(v->p, '>') + 1 : v->p;
        return (take(v, "(") || refuse(v, "a bracket is missing")) && sum(v, out) &&
               (take(v, ")") || refuse(v, "a bracket is missing"));
    }
    if (!strcmp(name, "orch_args") && sscanf(v->p, ".scalar(%d)", &index) == 1) {
        v->p = strchr(v->p, ')') + 1;
        return of_host(v, index, out);
    }
    const struct definition *d = find_definition(v->o, name);
    n = strspn(v->p, " ");
    if (!d || d->changed || strchr("(.[<", v->p[n] ? v->p[n] : ' '))
        return refuse(v,
                      arena_printf(v->o->arena, d && d->changed ? "'%s' changes" : "'%s'", name));
    return whole(v, d->expr, d->at, out);
}

static bool atom(struct value *v, int64_t *out)
{
    static const char *const types[] = {"(int64_t)", "(uint64_t)", "(int32_t)", "(uint32_t)",
                                        "(int)"};
    v->p += strspn(v->p, " ");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (take(v, types[i]))
            return atom(v, out);
    if (take(v, "-")) {
        bool ok = atom(v, out);
        *out = (int64_t)(0 - (uint64_t)*out);
        return ok;
    }
    if (take(v, "("))
        return sum(v, out) && (take(v, ")") || refuse(v, "a bracket is missing"));
    size_t n = bind_name_length(v->p);
    if (n) {
        const char *name = arena_strndup(v->o->arena, v->p, n);
        v->p += n;
        return named(v, name, out);
    }
    char *end;
    *out = strtoll(v->p, &end, 0);
    if (end == v->p || *end == '.')
        return refuse(v, arena_printf(v->o->arena, "'%s'", v->p));
    v->p = end + strspn(end, "uUlL");
    return true;
}

static bool product(struct value *v, int64_t *out)
{
    bool ok = atom(v, out);
    for (;;) {
        int64_t y;
        v->p += strspn(v->p, " ");
        char op = *v->p;
        if (!ok || (op != '*' && op != '/' && op != '%'))
            return ok;
        v->p++;
        ok = atom(v, &y);
        if (ok && op != '*' && (y == 0 || y == -1))
            return refuse(v, "it divides by 0 or -1");
        if (ok)
            *out = op == '*'   ? (int64_t)((uint64_t)*out * (uint64_t)y)
                   : op == '/' ? *out / y
                               : *out % y;
    }
}

static bool sum(struct value *v, int64_t *out)
{
    if (++v->depth > MAX_DEPTH)
        return refuse(v, "it is nested too deeply");
    bool ok = product(v, out);
    for (;;) {
        int64_t y;
        v->p += strspn(v->p, " ");
        char op = *v->p;
        if (!ok || (op != '+' && op != '-')) {
            v->depth--;
            return ok;
        }
        v->p++;
        ok = product(v, &y);
        if (ok)
            *out = (int64_t)((uint64_t)*out + (op == '+' ? (uint64_t)y : 0 - (uint64_t)y));
    }
}

enum pto_answer orchestration_scalar(struct orchestration *o, int task, int scalar,
                                     const char *name, int rank, int nranks, int64_t *out,
                                     struct diag *d)
{
    const struct submission *s = submission_of(o, task);
    struct value v = {.o = o,
                      .name = name,
                      .rank = rank,
                      .nranks = nranks,
                      .d = d,
                      .at = s ? s->at : (struct span){0}};
    if (!s)
        return PTO_UNKNOWN;
    if (s->conditional) {
        refuse(&v, "the task is submitted in a loop or branch");
        return PTO_WRONG;
    }
    vec_foreach (const struct argument, x, &o->arguments)
        if (x->scalar && !strcmp(x->of, s->arguments) && scalar-- == 0)
            return whole(&v, x->expr, x->at, out) ? PTO_GIVEN : PTO_WRONG;
    return PTO_UNKNOWN;
}
