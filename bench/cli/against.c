/* SPDX-License-Identifier: MIT */
#include "bench/cli/against.h"

#include <string.h>
#include <unistd.h>

#include "bench/report/report.h"

/* ---- what the other side is ---- */

static bool among(const char *name, const char *const *names, size_t n, const char *suffix)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(name, names[i]))
            return true;
    size_t len = strlen(name), end = strlen(suffix);
    return len > end && !strcmp(name + len - end, suffix);
}

static bool with_toolchain(struct options *o, const char *dir, struct against *x)
{
    x->was = x->y.toolchain_name;
    x->y.toolchain_name = x->name;
    x->y.kernel.toolchain = toolchain_load(&o->arena, dir, x->name, &o->diag);
    return x->y.kernel.toolchain != NULL;
}

static bool with_model(struct options *o, const char *dir, struct against *x)
{
    if (x->y.models.len > 1)
        return diag_file(&o->diag, "--against", "a model is compared with one, not with %zu",
                         x->y.models.len);
    const struct contract *k = contract_load(&o->arena, dir, x->name, &o->diag);
    x->was = x->y.models.items[0]->name;
    x->y.models.items = NULL;
    x->y.models.len = x->y.models.cap = 0;
    vec_push(&o->arena, &x->y.models, k);
    return k != NULL;
}

static bool with_batch(struct against *x)
{
    for (int b = 0; b < PASS_BATCH_COUNT; b++)
        if (!strcmp(x->name, pass_batch_names[b])) {
            x->was = pass_batch_names[x->y.kernel.pass.batch];
            x->y.kernel.pass.batch = (enum pass_batch)b;
            return true;
        }
    return false;
}

/* Of a command whose results are cases. */
static bool is_report(const json_t *j)
{
    static const char *const commands[] = {"check", "explore", "run"};
    const char *schema = json_text(j, "schema"), *command = json_text(j, "command");
    bool known = false;
    for (size_t i = 0; command && i < sizeof commands / sizeof *commands; i++)
        known |= !strcmp(command, commands[i]);
    return known && schema && !strcmp(schema, JSON_SCHEMA) &&
           json_is_array(json_object_get(j, "results"));
}

static bool with_report(struct options *o, struct against *x)
{
    json_error_t e;
    const struct source *s = source_read(&o->arena, x->name, &o->diag);
    if (!s)
        return false;
    x->was = "now";
    x->report = json_loads(s->text, 0, &e);
    if (!x->report)
        return diag_error(&o->diag, s, (struct span){e.line, e.column > 0 ? e.column : 1, 1}, "%s",
                          e.text);
    return is_report(x->report) ||
           diag_file(&o->diag, x->name,
                     "is no report of check, explore or run, as --format=json prints it (%s)",
                     JSON_SCHEMA);
}

bool against_open(struct options *o, const char *name, struct against *out)
{
    const char *dir = bench_models_dir(&o->arena);
    const char *const *tools, *const *models;
    size_t ntools = toolchain_list(&o->arena, dir, &tools),
           nmodels = contract_list(&o->arena, dir, &models);
    *out = (struct against){.name = name, .y = o->x};
    if (among(name, tools, ntools, ".toolchain"))
        return with_toolchain(o, dir, out);
    if (among(name, models, nmodels, ".model"))
        return with_model(o, dir, out);
    if (with_batch(out))
        return true;
    if (among(name, NULL, 0, ".json") || access(name, F_OK) == 0)
        return with_report(o, out);
    const char *hint = diag_hint(&o->arena, name, tools, ntools);
    return diag_file(&o->diag, "--against", "'%s' is no toolchain, model, batch mode or report%s",
                     name, *hint ? hint : diag_hint(&o->arena, name, models, nmodels));
}

void against_close(struct against *x)
{
    json_decref(x->report);
    x->report = NULL;
}

/* ---- cases of both sides ---- */

struct side {
    const char *kernel, *model;
    int ranks;
    unsigned verdicts; /* bit per enum verdict */
    bool unfinished;
    const char *cell; /* "25 % stale read", "clean" */
};
typedef VEC(struct side) sides;

static const char *share(struct arena *a, uint64_t failed, uint64_t runs, const char *verdict)
{
    return arena_printf(a, "%.0f %% %s", 100.0 * (double)failed / (double)runs, verdict);
}

static struct side side_of_case(struct arena *a, const struct kase *k)
{
    const struct tally *t = &k->tally;
    struct side s = {.kernel = k->kernel->name,
                     .model = k->contract->name,
                     .ranks = k->nranks,
                     .unfinished = case_partial(k)};
    for (int v = 0; v < V_COUNT; v++)
        s.verdicts |= t->verdict_runs[v] ? 1u << v : 0;
    s.cell = t->failed      ? share(a, t->failed, t->runs, verdict_name(tally_verdict(t)))
             : s.unfinished ? "unfinished"
                            : "clean";
    return s;
}

static unsigned verdict_bit(const char *name)
{
    for (int v = 0; name && v < V_COUNT; v++)
        if (!strcmp(name, verdict_name((enum verdict)v)))
            return 1u << v;
    return 0;
}

static struct side side_of_result(struct arena *a, const json_t *j)
{
    const char *kernel = json_text(j, "kernel"), *model = json_text(j, "model");
    const json_t *findings = json_object_get(j, "findings"), *f;
    json_int_t runs = json_number(j, "runs"), failed = json_number(j, "failed");
    const char *first = json_text(json_array_get(findings, 0), "verdict");
    struct side s = {.kernel = kernel ? kernel : "",
                     .model = model ? model : "",
                     .ranks = (int)json_number(j, "ranks"),
                     .unfinished = result_unfinished(j)};
    size_t i;
    json_array_foreach(findings, i, f) s.verdicts |= verdict_bit(json_text(f, "verdict"));
    s.cell = first && failed > 0 && runs >= failed
                 ? share(a, (uint64_t)failed, (uint64_t)runs, first)
             : first        ? first
             : s.unfinished ? "unfinished"
                            : "clean";
    return s;
}

/* A look at the states of a case is no part of its runs: a report has both, the same cases with
 * another model the runs alone. */
static void add_glance(struct side *s, const struct kase *k)
{
    if (!k->glance.found)
        return;
    s->verdicts |= 1u << k->glance.first.verdict;
    s->cell = k->tally.failed ? s->cell : verdict_name(k->glance.first.verdict);
}

static sides sides_of_cases(struct arena *a, const kases *cases, bool glances)
{
    sides out = {0};
    vec_foreach (const struct kase, k, cases) {
        struct side s = side_of_case(a, k);
        if (glances)
            add_glance(&s, k);
        vec_push(a, &out, s);
    }
    return out;
}

static bool same_case(const struct side *x, const struct side *y)
{
    return x->ranks == y->ranks && !strcmp(x->kernel, y->kernel) && !strcmp(x->model, y->model);
}

/* Kernels of several files may be called the same: the n-th of one side is that of the other. */
static const struct side *counterpart(const sides *xs, const struct side *x, const sides *ys)
{
    size_t before = 0;
    for (const struct side *z = xs->items; z < x; z++)
        before += same_case(z, x);
    vec_foreach (const struct side, y, ys)
        if (same_case(x, y) && !before--)
            return y;
    return NULL;
}

/* ---- the table ---- */

struct counts {
    size_t differ, unfinished, missing, matched;
};

static void compare(const struct against *x, const sides *now, const sides *other, struct counts *n)
{
    vec_foreach (const struct side, s, now) {
        const struct side *t = counterpart(now, s, other);
        n->matched += t != NULL;
        n->missing += !t;
        if (!t || s->verdicts == t->verdicts)
            continue;
        if (s->unfinished || t->unfinished) {
            n->unfinished++;
            continue;
        }
        if (!n->differ++)
            printf("%-28s %3s  %-14s %-22s %s\n", "kernel", "P", "model", x->was, x->name);
        printf("%-28s %3d  %-14s %-22s %s\n", s->kernel, s->ranks, s->model, s->cell, t->cell);
    }
}

static void print_counts(const struct against *x, const struct counts *n, size_t others)
{
    const char *build = json_text(x->report, "build");
    printf("against %s", x->name);
    if (build)
        printf(" (build %s; this is %s)", build, build_id());
    printf(": %zu of %zu cases have other verdicts", n->differ, n->matched);
    if (n->unfinished)
        printf(", %zu ended too early to say", n->unfinished);
    if (n->missing)
        printf(", %zu are not in it", n->missing);
    if (others > n->matched)
        printf(", %zu of it were not checked", others - n->matched);
    printf("\n");
}

static sides sides_of_report(struct arena *a, const json_t *report)
{
    sides out = {0};
    size_t i;
    json_t *j;
    json_array_foreach(json_object_get(report, "results"), i, j)
        vec_push(a, &out, side_of_result(a, j));
    return out;
}

/* Of the same cases with something other. */
static bool run_others(struct against *x, struct arena *a, const sides *now, sides *out)
{
    kases others = {0};
    if (!cases_make(&x->y, &others, NULL))
        return false;
    cases_run(&others, NULL, NULL);
    *out = sides_of_cases(a, &others, false);
    for (size_t i = 0; i < out->len && i < now->len; i++)
        out->items[i].model = now->items[i].model; /* which may be what is other */
    return true;
}

bool against_print(struct options *o, struct against *x, const kases *cases)
{
    struct counts n = {0};
    sides now = sides_of_cases(&o->arena, cases, x->report != NULL), other = {0};
    if (x->report)
        other = sides_of_report(&o->arena, x->report);
    else if (!run_others(x, &o->arena, &now, &other))
        return false;
    compare(x, &now, &other, &n);
    print_counts(x, &n, other.len);
    return true;
}
