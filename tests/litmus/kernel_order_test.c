/* SPDX-License-Identifier: MIT */
/*
 * The order of the contracts for kernels: what exploration finds under a stronger one, told apart
 * by verdict and word, it finds under a weaker one.
 */
#include "sim/explore.h"
#include "tests/litmus/litmus_rig.h"
#include "tests/litmus/trial.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Each of the first ones is stronger than a2a3, and that than those behind it. */
static const char *const chain[][2] = {{"a2a3-blocking", "a2a3"},
                                       {"a2a3-fifo", "a2a3"},
                                       {"a2a3", "a2a3-evict"},
                                       {"a2a3-evict", "weakest"}};

#define ON  false
#define OFF true

/* Small enough for the weakest contract. */
static const struct trial trials[] = {
    {.kernel = "put_ring", .args = {"SIZE=8", "CHUNK=8"}, .markers_off = ON},
    {.kernel = "put_ring", .args = {"SIZE=8", "CHUNK=8"}, .markers_off = OFF},
    {.kernel = "put_atomic_add", .args = {"SIZE=8"}, .markers_off = ON},
    {.kernel = "put_atomic_add", .args = {"SIZE=8"}, .markers_off = OFF},
    {.kernel = "broadcast_get", .args = {"SIZE=8"}, .markers_off = ON},
    {.kernel = "scalar_publish", .markers_off = ON},
    {.kernel = "scalar_publish_first_line", .markers_off = ON},
    {.kernel = "scalar_publish_first_line", .markers_off = OFF},
    {.kernel = "notify_wait_tag", .markers_off = OFF},
};

struct word {
    enum verdict verdict;
    uint64_t addr;
};

struct found {
    struct arena *arena;
    VEC(struct word) words;
};

static bool has(const struct found *f, struct word w)
{
    vec_foreach (const struct word, x, &f->words)
        if (x->verdict == w.verdict && x->addr == w.addr)
            return true;
    return false;
}

static void on_finding(void *ctx, const struct machine *m)
{
    struct found *f = ctx;
    int n;
    const struct finding *x = oracle_findings(m->oracle, &n);
    for (int i = 0; i < n; i++) {
        struct word w = {x[i].verdict, x[i].addr};
        if (!has(f, w))
            vec_push(f->arena, &f->words, w);
    }
}

static struct found found_under(struct arena *a, const struct program *p, const char *model)
{
    struct found f = {.arena = a};
    struct explore_options o = {
        .threads = 1, .reduction = true, .oracle = true, .on_finding = on_finding, .ctx = &f};
    struct explore_result r;
    explore(p, rig_contract(a, model), &o, &r);
    cr_expect(r.complete && r.finals + f.words.len > 0, "%s under %s", p->name, model);
    return f;
}

static int compare(struct arena *a, const struct program *p, const struct trial *t,
                   const char *const pair[2])
{
    struct found stronger = found_under(a, p, pair[0]), weaker = found_under(a, p, pair[1]);
    vec_foreach (const struct word, w, &stronger.words)
        cr_expect(has(&weaker, *w), "%s, markers %s, %s: %s at %s under %s, not under %s",
                  t->kernel, t->markers_off ? "off" : "on", t->toolchain, verdict_name(w->verdict),
                  program_where(p, w->addr, a), pair[0], pair[1]);
    return (int)stronger.words.len;
}

Test(order, kernels, .timeout = 300)
{
    int words = 0;
    for (size_t i = 0; i < COUNT(trials); i++) {
        struct arena a = {0};
        struct trial t = trials[i];
        t.nranks = 2;
        t.toolchain = "ptoas-0.52"; /* whose fence orders less */
        const struct program *p = trial_compile(&a, &t);
        for (size_t c = 0; c < COUNT(chain); c++)
            words += compare(&a, p, &t, chain[c]);
        arena_free(&a);
    }
    cr_expect(words > 20, "%d findings compared", words);
}
