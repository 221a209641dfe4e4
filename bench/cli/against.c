/* SPDX-License-Identifier: MIT */
#include "bench/cli/against.h"

#include <string.h>

static bool among(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

/* y is x with `other` in place of what it has; *was is what that is called. */
static bool replaced(struct options *o, const char *other, struct experiment *y, const char **was)
{
    const char *dir = bench_models_dir(&o->arena), *const * tools, *const * models;
    size_t ntools = toolchain_list(&o->arena, dir, &tools),
           nmodels = contract_list(&o->arena, dir, &models);
    *y = o->x;
    if (among(other, tools, ntools)) {
        *was = y->toolchain_name;
        y->toolchain_name = other;
        y->kernel.toolchain = toolchain_load(&o->arena, dir, other, &o->diag);
        return !o->diag.failed;
    }
    if (among(other, models, nmodels)) {
        if (y->models.len > 1)
            return diag_file(&o->diag, "--against", "a model is compared with one, not with %zu",
                             y->models.len);
        *was = y->models.items[0]->name;
        y->models.items = NULL;
        y->models.len = y->models.cap = 0;
        const struct contract *k = contract_load(&o->arena, dir, other, &o->diag);
        vec_push(&o->arena, &y->models, k);
        return k != NULL;
    }
    for (int b = 0; b < PASS_BATCH_COUNT; b++)
        if (!strcmp(other, pass_batch_names[b])) {
            *was = pass_batch_names[y->kernel.pass.batch];
            y->kernel.pass.batch = (enum pass_batch)b;
            return true;
        }
    const char *hint = diag_hint(&o->arena, other, tools, ntools);
    return diag_file(&o->diag, "--against", "'%s' is no toolchain, model or batch mode%s", other,
                     *hint ? hint : diag_hint(&o->arena, other, models, nmodels));
}

bool against_known(struct options *o, const char *other)
{
    struct experiment y;
    const char *was;
    return replaced(o, other, &y, &was);
}

/* "25 % stale read" or "clean". */
static const char *cell(struct arena *a, const struct kase *k)
{
    const struct tally *t = &k->tally;
    if (t->failed)
        return arena_printf(a, "%.0f %% %s", 100.0 * (double)t->failed / (double)t->runs,
                            verdict_name(tally_verdict(t)));
    return case_partial(k) ? "unfinished" : "clean";
}

/* Other verdicts: rates differ with any change. */
static bool differ(const struct kase *x, const struct kase *y)
{
    for (int v = 0; v < V_COUNT; v++)
        if (!x->tally.verdict_runs[v] != !y->tally.verdict_runs[v])
            return true;
    return false;
}

bool against_print(struct options *o, const char *other, const kases *cases)
{
    struct experiment y;
    const char *was = NULL;
    kases others = {0};
    size_t n = 0;
    if (!replaced(o, other, &y, &was) || !cases_make(&y, &others, NULL))
        return false;
    cases_run(&others, NULL, NULL);
    for (size_t i = 0; i < cases->len && i < others.len; i++) {
        const struct kase *k = &cases->items[i];
        if (!differ(k, &others.items[i]))
            continue;
        if (!n++)
            printf("%-28s %3s  %-14s %-22s %s\n", "kernel", "P", "model", was, other);
        printf("%-28s %3d  %-14s %-22s %s\n", k->kernel->name, k->nranks, k->contract->name,
               cell(&o->arena, k), cell(&o->arena, &others.items[i]));
    }
    printf("against %s: %zu of %zu cases have other verdicts\n", other, n, cases->len);
    return true;
}
