/* SPDX-License-Identifier: MIT */
/*
 * The order of the contracts for kernels and host programs: what exploration finds under a stronger
 * one, told apart by verdict and word, it finds under a weaker one. SOAK=N looks at N times as many
 * random programs.
 */
#include "ir/parse.h"
#include "ir/verify.h"
#include "sim/explore/explore.h"
#include "tests/litmus/litmus_rig.h"
#include "tests/litmus/random_kernel.h"
#include "tests/litmus/trial.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* States of an exploration; random programs that have more are left out. */
enum { MANY_STATES = 100000, SOME_STATES = 600, KERNELS = 12, HOST_PROGRAMS = 10 };

enum model { BLOCKING, FIFO, A2A3, EVICT, WEAKEST, MODELS };
static const char *const models[MODELS] = {"a2a3-blocking", "a2a3-fifo", "a2a3", "a2a3-evict",
                                           "weakest"};

static const struct {
    enum model stronger, weaker;
    enum excuse excuse;
} chain[] = {{BLOCKING, A2A3, WAITS_AT_BARRIER},
             {FIFO, A2A3, NO_EXCUSE},
             {A2A3, EVICT, DIRTY_LINE},
             {EVICT, WEAKEST, NO_EXCUSE}};

/* ---- what is found ---- */

struct word {
    enum verdict verdict;
    uint64_t addr;
    unsigned excuses; /* of a hang or deadlock */
};

struct found {
    struct arena *arena;
    VEC(struct word) words;
    bool complete, races;
};

static bool has(const struct found *f, struct word w)
{
    vec_foreach (const struct word, x, &f->words)
        if (x->verdict == w.verdict && x->addr == w.addr && x->excuses == w.excuses)
            return true;
    return false;
}

/* Of the step that first found something: a path ends there. */
static void on_finding(void *ctx, const struct machine *m)
{
    struct found *f = ctx;
    int n;
    const struct finding *x = oracle_findings(m->oracle, &n);
    uint64_t first = UINT64_MAX;
    for (int i = 0; i < n; i++)
        first = x[i].step < first ? x[i].step : first;
    for (int i = 0; i < n; i++) {
        bool stuck = x[i].verdict == V_HANG || x[i].verdict == V_DEADLOCK;
        struct word w = {x[i].verdict, x[i].addr & ~(uint64_t)3, stuck ? rig_excuses(m) : 0};
        f->races |= w.verdict == V_RACE;
        if (x[i].step == first && !has(f, w))
            vec_push(f->arena, &f->words, w);
    }
}

static struct found found_under(struct arena *a, const struct program *p, const struct contract *k,
                                uint64_t max_states, bool races)
{
    struct found f = {.arena = a};
    struct explore_options o = {.threads = 1,
                                .reduction = true,
                                .races = races,
                                .oracle = true,
                                .max_states = max_states,
                                .on_finding = on_finding,
                                .ctx = &f};
    struct explore_result r;
    explore(p, k, &o, &r);
    f.complete = r.complete;
    return f.races && !races ? found_under(a, p, k, max_states, true) : f;
}

/* ---- comparing ---- */

struct tally {
    int compared, unknown, words, missing;
};

static bool excused(const struct word *w, enum excuse excuse)
{
    return excuse && (w->excuses >> excuse & 1);
}

static bool shown(const struct found *weaker, const struct word *w)
{
    vec_foreach (const struct word, x, &weaker->words)
        if (x->verdict == w->verdict && x->addr == w->addr)
            return true;
    return false;
}

/* What is found under every contract; base: what they have alike, besides their own keys. */
static void find_all(struct arena *a, const struct program *p, const struct contract *base,
                     uint64_t max_states, struct found f[MODELS])
{
    for (int m = 0; m < MODELS; m++) {
        struct contract k = *rig_contract(a, models[m]);
        k.cores_per_rank = base->cores_per_rank;
        k.task_entry_invalidate = base->task_entry_invalidate;
        k.completion = base->completion;
        f[m] = found_under(a, p, &k, max_states, false);
    }
}

/* Without the weaker one's whole answer nothing can be missed. */
static void compare(struct tally *t, const struct program *p, const struct contract *base,
                    uint64_t max_states, const char *what)
{
    struct arena a = {0};
    struct found f[MODELS];
    find_all(&a, p, base, max_states, f);
    for (size_t c = 0; c < COUNT(chain); c++) {
        const struct found *stronger = &f[chain[c].stronger], *weaker = &f[chain[c].weaker];
        *(weaker->complete ? &t->compared : &t->unknown) += 1;
        vec_foreach (const struct word, w, &stronger->words) {
            bool ok = !weaker->complete || excused(w, chain[c].excuse) || shown(weaker, w);
            t->words += weaker->complete;
            t->missing += !ok;
            cr_expect(ok, "%s: %s at %s under %s, not under %s", what, verdict_name(w->verdict),
                      program_where(p, w->addr, &a), models[chain[c].stronger],
                      models[chain[c].weaker]);
        }
    }
    arena_free(&a);
}

/* ---- kernels that come with the bench, small enough for the weakest contract ---- */

#define ON  false
#define OFF true

static const struct trial trials[] = {
    {.kernel = "put_ring", .args = {"SIZE=8", "CHUNK=8"}, .markers_off = ON},
    {.kernel = "put_ring", .args = {"SIZE=8", "CHUNK=8"}, .markers_off = OFF},
    {.kernel = "put_atomic_add", .args = {"SIZE=8"}, .markers_off = ON},
    {.kernel = "put_atomic_add", .args = {"SIZE=8"}, .markers_off = OFF},
    {.kernel = "scalar_publish", .markers_off = ON},
    {.kernel = "scalar_publish_first_line", .markers_off = ON},
    {.kernel = "scalar_publish_first_line", .markers_off = OFF},
    {.kernel = "notify_wait_tag", .markers_off = OFF},
};

Test(order, kernels, .timeout = 300)
{
    struct tally tally = {0};
    for (size_t i = 0; i < COUNT(trials); i++) {
        struct arena a = {0};
        struct trial t = trials[i];
        t.nranks = 2;
        t.toolchain = "ptoas-0.52"; /* whose fence orders less */
        compare(&tally, trial_compile(&a, &t), rig_contract(&a, "a2a3"), MANY_STATES,
                arena_printf(&a, "%s, markers %s", t.kernel, t.markers_off ? "off" : "on"));
        arena_free(&a);
    }
    cr_expect(tally.words > 20 && !tally.unknown, "%d findings, %d pairs compared, %d unknown",
              tally.words, tally.compared, tally.unknown);
}

/* ---- random ones ---- */

static const struct program *compiled(struct arena *a, const char *text, const struct toolchain *t,
                                      int cores)
{
    struct diag d = {.arena = a};
    struct kernel k = {.name = "random", .source = source_from_string(a, "k.py", text)};
    struct kernel_options o = {
        .pass = PASS_OPTIONS_DEFAULT, .toolchain = t, .cores_per_rank = cores};
    const struct program *p = NULL;
    if (directives_scan(a, k.source, &k.directives, &d))
        k.program = ir_parse(a, k.source, &d);
    if (k.program && verify_program(k.program, &d))
        p = kernel_compile(a, &k, &o, RANDOM_KERNEL_RANKS, &d);
    cr_assert(p, "%s\n%s", diag_text(&d, a), text);
    return p;
}

/* Every form of the end of a task among them. */
static void compare_random(struct tally *tally, uint64_t seed, bool host)
{
    static const int tails[] = {TAIL_BARRIER, TAIL_BARRIER_DCCI, TAIL_BARRIER_DCCI_DSB};
    struct arena a = {0};
    struct toolchain t = *rig_toolchain(&a, seed % 2 ? "ptoas-0.52" : "ptoas-0.57");
    struct contract base = *rig_contract(&a, "a2a3");
    t.kernel_tail = tails[seed % 3];
    base.cores_per_rank = host ? 1 + (int)(seed / 2 % 2) : 1;
    base.task_entry_invalidate = (int)(seed / 3 % 3);
    base.completion = (int)(seed / 5 % 2);
    const char *text = (host ? random_host_program : random_kernel)(&a, 500 + seed);
    compare(tally, compiled(&a, text, &t, base.cores_per_rank), &base, SOME_STATES,
            arena_printf(&a, "%s %d\n%s", host ? "host program" : "kernel", (int)seed, text));
    arena_free(&a);
}

static void compare_all(const char *what, int n, bool host)
{
    struct tally tally = {0};
    for (int seed = 0; seed < n && !tally.missing; seed++)
        compare_random(&tally, (uint64_t)seed, host);
    cr_expect(2 * tally.words > n && 2 * tally.compared > 3 * n,
              "%s: %d findings, %d pairs compared, %d unknown", what, tally.words, tally.compared,
              tally.unknown);
}

Test(order, random_kernels, .timeout = 36000)
{
    compare_all("kernels", soaked(KERNELS), false);
}

Test(order, random_host_programs, .timeout = 36000)
{
    compare_all("host programs", soaked(HOST_PROGRAMS), true);
}
