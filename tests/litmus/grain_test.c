/* SPDX-License-Identifier: MIT */
/*
 * Provenance at the grain of a transfer says what provenance of each unit says: the same runs by
 * the same seeds of every driver, with the same findings, final memory and writers of each unit. A
 * run without an oracle is the same run too, and tells whether one would have checked anything.
 * SOAK=N looks at N times as many random kernels.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/litmus/litmus_rig.h"
#include "tests/litmus/random_kernel.h"
#include "tests/litmus/trial.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

enum { SEEDS = 3, RANDOM_KERNELS = 60, MAX_TRANSITIONS = 200000 };

struct side {
    struct oracle *oracle; /* or NULL */
    struct machine *machine;
    struct drive_result result;
};

static void side_open(struct side *s, const struct program *p, const struct contract *c, bool units)
{
    *s = (struct side){.oracle = oracle_new(p)};
    if (units)
        oracle_by_units(s->oracle);
    s->machine = machine_new(p, c, (struct machine_options){.oracle = s->oracle, .kernel = true});
}

/* As the sc run of a campaign. */
static void side_open_plain(struct side *s, const struct program *p, const struct contract *c)
{
    *s = (struct side){.machine = machine_new(p, c, (struct machine_options){.kernel = true})};
}

static void side_close(struct side *s)
{
    machine_free(s->machine);
    oracle_free(s->oracle);
}

static void side_run(struct side *s, int driver, uint64_t seed)
{
    static void (*const drivers[])(struct machine *, const struct drive_options *,
                                   struct drive_result *) = {drive_timed, drive_random, drive_pct};
    struct drive_options o = {.seed = seed,
                              .max_transitions = MAX_TRANSITIONS,
                              .adversary = true,
                              .dispatch_skew = SKEW_OF_CONTRACT,
                              .pct_depth = 3,
                              .pct_steps = 1000};
    s->result = (struct drive_result){0};
    machine_reset(s->machine);
    drivers[driver](s->machine, &o, &s->result);
    if (s->oracle && !s->result.timed_out)
        oracle_finish(s->oracle, s->machine);
}

static bool same_place(struct place x, struct place y)
{
    return x.core == y.core && x.insn == y.insn;
}

static bool same_finding(const struct finding *x, const struct finding *y)
{
    return x->verdict == y->verdict && x->where == y->where && x->late == y->late &&
           x->addr == y->addr && x->end == y->end && x->more == y->more && x->units == y->units &&
           x->step == y->step && x->edge.kind == y->edge.kind && same_place(x->reader, y->reader) &&
           same_place(x->producer, y->producer) && same_place(x->wait, y->wait) &&
           same_place(x->culprit, y->culprit) && same_place(x->got, y->got);
}

static bool same_findings(const struct side *x, const struct side *y)
{
    int n, m;
    const struct finding *a = oracle_findings(x->oracle, &n), *b = oracle_findings(y->oracle, &m);
    bool same = n == m && oracle_checked(x->oracle) == oracle_checked(y->oracle);
    for (int v = 0; v < V_COUNT; v++)
        same &=
            oracle_count(x->oracle, (enum verdict)v) == oracle_count(y->oracle, (enum verdict)v);
    for (int i = 0; same && i < n; i++)
        same = same_finding(&a[i], &b[i]);
    return same;
}

/* Nodes are made in the order of accesses, so equal runs number them alike. */
static bool same_memory(const struct side *x, const struct side *y)
{
    const struct program *p = x->machine->program;
    bool same = true;
    for (int r = 0; r < p->nranks; r++) {
        same &= !memcmp(x->machine->gm[r], y->machine->gm[r], p->gm_bytes);
        for (uint64_t u = 0; u < p->gm_bytes / (uint64_t)p->grain; u++)
            same &= node_map_get(&x->machine->prov[r], u) == node_map_get(&y->machine->prov[r], u);
    }
    return same;
}

static void expect_plain(const char *name, const struct side *judged, const struct side *plain)
{
    const struct program *p = plain->machine->program;
    bool same = judged->result.transitions == plain->result.transitions &&
                judged->result.cycles == plain->result.cycles &&
                judged->machine->stop == plain->machine->stop &&
                machine_at_end(judged->machine) == machine_at_end(plain->machine);
    for (int r = 0; r < p->nranks; r++)
        same &= !memcmp(judged->machine->gm[r], plain->machine->gm[r], p->gm_bytes);
    cr_expect(same, "%s on %s: another run without an oracle", name,
              plain->machine->contract->name);
    cr_expect(!plain->machine->accessed == !oracle_checked(judged->oracle), "%s: %d bytes accessed",
              name, (int)plain->machine->accessed);
}

/* Adds to failed how many runs found something. */
static void expect_alike(const char *name, const struct program *p, const struct contract *c,
                         uint64_t *failed)
{
    struct side pages, units, plain;
    side_open(&pages, p, c, false);
    side_open(&units, p, c, true);
    side_open_plain(&plain, p, c);
    for (int driver = 0; driver < 3; driver++)
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            side_run(&pages, driver, seed);
            side_run(&units, driver, seed);
            side_run(&plain, driver, seed);
            expect_plain(name, &pages, &plain);
            cr_expect(pages.result.transitions == units.result.transitions &&
                          pages.result.cycles == units.result.cycles,
                      "%s on %s, driver %d, seed %d: another run", name, c->name, driver,
                      (int)seed);
            cr_expect(same_findings(&pages, &units), "%s on %s, driver %d, seed %d: other findings",
                      name, c->name, driver, (int)seed);
            cr_expect(same_memory(&pages, &units), "%s on %s, driver %d, seed %d: other memory",
                      name, c->name, driver, (int)seed);
            int n;
            oracle_findings(pages.oracle, &n);
            *failed += n > 0;
        }
    side_close(&pages);
    side_close(&units);
    side_close(&plain);
}

static void expect_trial(const struct trial *t, uint64_t *failed)
{
    static const char *const models[] = {"a2a3", "weakest", "sc"};
    struct arena a = {0};
    const struct program *p = trial_compile(&a, t);
    for (size_t m = 0; m < COUNT(models); m++)
        expect_alike(t->kernel, p, rig_contract(&a, models[m]), failed);
    arena_free(&a);
}

Test(grain, of_kernels_changes_nothing, .timeout = 600)
{
    struct arena a = {0};
    const char *const *names;
    uint64_t failed = 0;
    for (size_t k = 0, n = kernel_names(&a, &names); k < n; k++)
        for (int off = 0; off < 2; off++) {
            const int *ranks;
            kernel_ranks(&a, names[k], &ranks);
            struct trial t = {.kernel = names[k],
                              .toolchain = "ptoas-0.57",
                              .nranks = ranks[0],
                              .batch = PASS_BATCH_LOOPS,
                              .markers_off = off};
            expect_trial(&t, &failed);
        }
    cr_expect(failed > 0, "the comparison needs runs with findings");
    arena_free(&a);
}

/* Transfers of several pages, which begin and end within them. */
Test(grain, of_larger_transfers_changes_nothing, .timeout = 600)
{
    static const struct trial rows[] = {
        {.kernel = "mesh_allreduce", .nranks = 3, .args = {"SIZE=1400", "CHUNK=700"}},
        {.kernel = "mesh_allreduce", .nranks = 2, .args = {"SIZE=1024", "CHUNK=512"}},
        {.kernel = "ring_allreduce", .nranks = 3, .args = {"SEG=300", "SUB=150"}},
        {.kernel = "allgather_put", .nranks = 3, .args = {"SIZE=777"}},
        {.kernel = "put_atomic_add", .nranks = 2},
    };
    uint64_t failed = 0;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (int off = 0; off < 2; off++) {
            struct trial t = rows[i];
            t.toolchain = "ptoas-0.57";
            t.markers_off = off;
            expect_trial(&t, &failed);
        }
}

Test(grain, of_random_kernels_changes_nothing, .timeout = 36000)
{
    uint64_t failed = 0;
    for (uint64_t seed = 0; seed < (uint64_t)soaked(RANDOM_KERNELS); seed++) {
        struct arena a = {0};
        struct trial t = {.kernel = "random",
                          .text = random_kernel(&a, seed),
                          .toolchain = "ptoas-0.57",
                          .nranks = RANDOM_KERNEL_RANKS,
                          .markers_off = seed % 2};
        expect_trial(&t, &failed);
        arena_free(&a);
    }
    cr_expect(failed > 0, "the comparison needs runs with findings");
}
