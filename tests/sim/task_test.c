/* SPDX-License-Identifier: MIT */
/*
 * Tasks that the host gives to cores: their order on a core and between the cores of a rank, what a
 * task starts with, when the timed driver releases it, and that all of it is part of a state.
 */
#include "base/rng.h"
#include "sim/driver.h"
#include "sim/explore/independent.h"
#include "tests/sim/rig.h"

/* The host's task k: on which core, from which of its I_TASK on, after which task (core, index; -1:
 * none), released with which submission. */
struct given {
    int core, nth, after_core, after_index, step;
    int64_t arg; /* of register 1 */
};

enum { MAX_GIVEN = 4, LATE = -1 }; /* LATE, as a step: with the first, and picked up late */

static int entry_of(const struct code *c, int nth)
{
    int i = 0;
    while (i < c->count && (c->insns[i].op != I_TASK || nth-- > 0))
        i++;
    cr_assert(i < c->count);
    return i;
}

/* The builder's program with these tasks; every core belongs to rank 0 when one_rank. */
static const struct program *with_tasks(struct builder *b, const struct given *g, int n)
{
    struct arena *a = b->arena;
    struct program *p = arena_dup(a, built(b), sizeof *p);
    struct dispatch **lists = arena_array(a, struct dispatch *, (size_t)p->ncores);
    p->cores = arena_dup(a, p->cores, sizeof *p->cores * (size_t)p->ncores);
    for (int c = 0; c < p->ncores; c++) {
        p->cores[c].index = c;
        p->cores[c].dispatches = lists[c] = arena_array(a, struct dispatch, MAX_GIVEN);
    }
    for (int i = 0; i < n; i++) {
        int64_t *arg = arena_dup(a, &g[i].arg, sizeof *arg);
        struct task_ref *after = arena_new(a, struct task_ref);
        *after = (struct task_ref){g[i].after_core, g[i].after_index};
        lists[g[i].core][p->cores[g[i].core].ndispatches++] =
            (struct dispatch){.entry = entry_of(p->cores[g[i].core].code, g[i].nth),
                              .first_reg = 1,
                              .nargs = 1,
                              .args = arg,
                              .after = after,
                              .nafter = g[i].after_core >= 0,
                              .picked_late = g[i].step == LATE,
                              .step = g[i].step == LATE ? 0 : g[i].step};
        if (g[i].after_core >= 0)
            lists[g[i].after_core][g[i].after_index].awaited = true;
        p->nsteps = g[i].step >= p->nsteps ? g[i].step + 1 : p->nsteps;
    }
    return p;
}

static void end(struct builder *b)
{
    nop(b)->op = I_END;
}

/* ---- order ---- */

/* Core 0 stores x and publishes it; core 1 of the same rank loads it. */
static void store_and_load(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    b->nranks = 1;
    core(b, 0);
    task(b, "store");
    st(b, x, 7);
    dcci(b, x);
    dsb(b);
    core(b, 0);
    task(b, "load");
    ld(b, 2, x);
}

/* The write-back is started and not waited for. */
static void store_and_clean(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    b->nranks = 1;
    core(b, 0);
    task(b, "store");
    st(b, x, 7);
    dcci(b, x);
    core(b, 0);
    task(b, "load");
    ld(b, 2, x);
}

/* As before without the write-back: the value stays in core 0's cache. */
static void store_unpublished(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    b->nranks = 1;
    core(b, 0);
    task(b, "store");
    st(b, x, 7);
    core(b, 0);
    task(b, "load");
    ld(b, 2, x);
}

static void dma_and_load(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    b->nranks = 1;
    core(b, 0);
    task(b, "store");
    put(b, x, 7);
    barrier(b, PIPE_ALL);
    core(b, 0);
    task(b, "load");
    ld(b, 2, x);
}

/* One core, two tasks of the same text: r2 counts, r1 is the argument. */
static void same_text_twice(struct builder *b)
{
    struct loc x = var(b, "x", 2);
    b->nranks = 1;
    core(b, 0);
    task(b, "count");
    alu(b, 2, ALU_ADD, 2, 1);
    st(b, x, 0)->rb = 1;
    st(b, word(x, 1), 0)->rb = 2;
}

static void same_text_published(struct builder *b)
{
    same_text_twice(b);
    dcci(b, (struct loc){.rank = OWN});
    dsb(b);
}

static const struct order_row {
    const char *name;
    void (*build)(struct builder *b);
    struct given given[MAX_GIVEN];
    int n;
    const char *script, *findings;
    struct key keys[ROW_KEYS];
} order_rows[] = {
    {"a task waits for the one of another core",
     store_and_load,
     {{0, 0, -1, 0, 0, 0}, {1, 0, 0, 0, 0, 0}},
     2,
     "!s1 s0 !s1 s0 !s1 s0 sc.0>0 !s1 s0 s1 s1 1:r2=7 end",
     "",
     {{0}}},
    {"what a task did happens before the one that waits for its end",
     store_unpublished,
     {{0, 0, -1, 0, 0, 0}, {1, 0, 0, 0, 0, 0}},
     2,
     "s0 s0 s1 s1 1:r2=0 end",
     "lost write at x[0]@0, of 'P0 st x': dirty in the producer's cache (final memory lacks it)\n"
     "stale read at x[0]@0, by 'P0.1 ld x', of 'P0 st x', after 'P0.1 task': dirty in the "
     "producer's cache\n",
     {{0}}},
    {"without a dependence the two cores race",
     store_and_load,
     {{0, 0, -1, 0, 0, 0}, {1, 0, -1, 0, 0, 0}},
     2,
     "s1 s0 s0 s0 sc.0>0 s0 s1 end",
     "race at x[0]@0, by 'P0 st x', of 'P0.1 ld x'\n",
     {{0}}},
    {"tasks of a core follow each other, with fresh registers and their own arguments",
     same_text_published,
     {{0, 0, -1, 0, 0, 5}, {0, 0, -1, 0, 0, 6}},
     2,
     "s0 0:r1=5 0:r2=1 s0 s0 s0 sc.0>0 s0 x=5 0:r1=6 0:r2=0 s0 0:r2=1 s0 s0 s0 sc.0>0 s0 x=6 "
     "x[1]=1 end",
     "",
     {{0}}},
    {"the cache is emptied when a task is picked up",
     same_text_twice,
     {{0, 0, -1, 0, 0, 5}, {0, 0, -1, 0, 0, 6}},
     2,
     "s0 s0 s0 0:x~dirty s0 0:x~absent",
     NULL,
     {{0}}},
    {"or it is left alone, by contract",
     same_text_twice,
     {{0, 0, -1, 0, 0, 5}, {0, 0, -1, 0, 0, 6}},
     2,
     "s0 s0 s0 0:x~dirty s0 0:x~dirty",
     NULL,
     {KEY(task_entry_invalidate, 0)}},
    {"the end of a task overtakes what is in flight",
     store_and_clean,
     {{0, 0, -1, 0, 0, 0}, {1, 0, 0, 0, 0, 0}},
     2,
     "s0 s0 !s1 s0 s1 s1 1:r2=0 sc.0>0 end",
     "stale read at x[0]@0, by 'P0.1 ld x', of 'P0 st x', after 'P0.1 task': in flight\n",
     {{0}}},
    {"but not where it is reported through memory",
     store_and_clean,
     {{0, 0, -1, 0, 0, 0}, {1, 0, 0, 0, 0, 0}},
     2,
     "s0 s0 s0 !s1 !fin.0 sc.0>0 !s1 fin.0 s1 s1 1:r2=7 end",
     "",
     {KEY(completion, COMPLETION_MEMORY)}},
    {"the report is a message of the run: it has to arrive before the end",
     store_and_load,
     {{0, 0, -1, 0, 0, 0}, {1, 0, 0, 0, 0, 0}},
     2,
     "s0 s0 s0 sc.0>0 s0 !s1 !end fin.0 s1 s1 end",
     "",
     {KEY(completion, COMPLETION_MEMORY)}},
    {"it has a line of its own: where only the order of lines is kept, it overtakes",
     store_and_clean,
     {{0, 0, -1, 0, 0, 0}, {1, 0, 0, 0, 0, 0}},
     2,
     "s0 s0 s0 !s1 fin.0 s1 s1 1:r2=0 sc.0>0 end",
     NULL,
     {KEY(completion, COMPLETION_MEMORY), KEY(fabric, FABRIC_UNORDERED)}},
    {"behind the stores of pipes too, where all messages to a rank share one order",
     dma_and_load,
     {{0, 0, -1, 0, 0, 0}, {1, 0, 0, 0, 0, 0}},
     2,
     "s0 s0 s0 mte3.0 s0 !fin.0 dma.0>0 fin.0 s1 s1 1:r2=7 end",
     "",
     {KEY(completion, COMPLETION_MEMORY), KEY(fabric, FABRIC_PER_PAIR)}},
    {"an old line is dropped once the tasks before have ended",
     store_and_load,
     {{0, 0, -1, 0, 0, 0}, {1, 0, 0, 0, 0, 0}},
     2,
     "!s1 fill.1:x s0 s0 s0 sc.0>0 s0 1:x~clean s1 1:x~absent s1 1:r2=7 end",
     "",
     {KEY(prefetch, PREFETCH_SPONTANEOUS)}},
    {"early dispatch drops it before they have, and it may come back",
     store_and_load,
     {{0, 0, -1, 0, 0, 0}, {1, 0, 0, 0, 0, 0}},
     2,
     "fill.1:x s1 1:x~absent !s1 fill.1:x s0 s0 s0 s0 sc.0>0 s0 s1 1:x~clean s1 1:r2=0 end",
     "stale read at x[0]@0, by 'P0.1 ld x', of 'P0 st x', after 'P0.1 task': old line at the "
     "reader\n",
     {KEY(prefetch, PREFETCH_SPONTANEOUS), KEY(task_entry_invalidate, TASK_INVALIDATES_EARLY)}},
    {"but not in front of a task that is picked up late",
     store_and_load,
     {{0, 0, -1, 0, 0, 0}, {1, 0, 0, 0, LATE, 0}},
     2,
     "!s1 fill.1:x s0 s0 s0 s0 sc.0>0 s0 1:x~clean s1 1:x~absent s1 1:r2=7 end",
     "",
     {KEY(prefetch, PREFETCH_SPONTANEOUS), KEY(task_entry_invalidate, TASK_INVALIDATES_EARLY)}},
    {"a core without tasks has ended",
     store_and_load,
     {{0, 0, -1, 0, 0, 0}},
     1,
     "!s1 s0 s0 s0 sc.0>0 s0 end",
     "",
     {{0}}},
};

Test(task, order_and_start)
{
    for (size_t i = 0; i < sizeof order_rows / sizeof *order_rows; i++) {
        const struct order_row *row = &order_rows[i];
        struct rig r = {0};
        struct builder b = {.arena = &r.arena};
        row->build(&b);
        rig_open_program(&r, with_tasks(&b, row->given, row->n), "a2a3", row->keys, true);
        if (rig_script(&r, row->name, row->script) && row->findings) {
            oracle_finish(r.oracle, r.machine);
            expect_text(row->name, rig_findings(&r, &r.arena), row->findings);
        }
        rig_close(&r);
    }
}

/* ---- a task that never ends ---- */

static void waits_for_nobody(struct builder *b)
{
    struct loc s = var(b, "s", 1);
    b->nranks = 1;
    core(b, 0);
    task(b, "wait");
    wait_ge(b, s, 1);
    core(b, 0);
    task(b, "later");
}

Test(task, waiting_for_a_task_that_hangs_is_a_hang)
{
    static const struct given given[] = {{0, 0, -1, 0, 0, 0}, {1, 0, 0, 0, 0, 0}};
    struct rig r = {0};
    struct builder b = {.arena = &r.arena};
    waits_for_nobody(&b);
    rig_open_program(&r, with_tasks(&b, given, 2), "a2a3", NULL, true);
    rig_script(&r, "hang", "run");
    oracle_finish(r.oracle, r.machine);
    int n;
    const struct finding *f = oracle_findings(r.oracle, &n);
    cr_assert_eq(n, 2);
    cr_expect(f[0].verdict == V_HANG && f[1].verdict == V_HANG);
    expect_text("who waits for what", f[1].note,
                "'task later' waits for 'task wait' of core 0.0 to end");
    rig_close(&r);
}

/* ---- states ---- */

static void three_tasks(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    b->nranks = 1;
    core(b, 0);
    task(b, "one");
    st(b, x, 1);
    end(b);
    task(b, "two");
    st(b, y, 2);
    core(b, 0);
    task(b, "three");
    ld(b, 2, x);
    ld(b, 3, y);
}

static const struct given three[] = {{0, 0, -1, 0, 0, 0}, {0, 1, -1, 0, 0, 0}, {1, 0, 0, 0, 0, 0}};

/* After each step: stored, two steps on, loaded back, stored again. */
static void expect_progress_is_packed(const struct key *keys)
{
    struct rig r = {0};
    struct builder b = {.arena = &r.arena};
    three_tasks(&b);
    rig_open_program(&r, with_tasks(&b, three, 3), "a2a3", keys, true);
    struct transition t[16];
    struct pack_buffer kept = {0};
    for (int n, steps = 0; (n = machine_enabled(r.machine, t, 16)) > 0; steps++) {
        struct packer *p = packer_new(r.machine);
        keep_state(pack_store(p, r.machine), &kept);
        for (int k = 0; k < 2 && (n = machine_enabled(r.machine, t, 16)) > 0; k++) {
            machine_fire(r.machine, t[n - 1]);
            pack_step(p, r.machine, t[n - 1]);
        }
        pack_load(p, r.machine, kept.data);
        struct packer *fresh = packer_new(r.machine);
        const struct pack_buffer *again = pack_store(fresh, r.machine);
        cr_expect(again->len == kept.len && !memcmp(again->data, kept.data, kept.len),
                  "step %d: another state", steps);
        packer_free(fresh);
        packer_free(p);
        n = machine_enabled(r.machine, t, 16);
        machine_fire(r.machine, t[0]);
    }
    cr_expect(machine_at_end(r.machine));
    pack_buffer_free(&kept);
    rig_close(&r);
}

Test(task, progress_is_part_of_a_packed_state)
{
    static const struct key contracts[][ROW_KEYS] = {
        {{0}},
        {KEY(completion, COMPLETION_MEMORY)},
        {KEY(completion, COMPLETION_MEMORY), KEY(fabric, FABRIC_UNORDERED)},
        {KEY(task_entry_invalidate, TASK_INVALIDATES_EARLY)},
    };
    for (size_t i = 0; i < sizeof contracts / sizeof *contracts; i++)
        expect_progress_is_packed(contracts[i]);
}

/* Every driver gets a task going whose predecessor's end travels through memory, and one that
 * empties its cache before that. */
Test(task, drivers_bring_reports_to_those_that_wait)
{
    static const struct key contracts[][ROW_KEYS] = {
        {KEY(completion, COMPLETION_MEMORY)},
        {KEY(completion, COMPLETION_MEMORY), KEY(fabric, FABRIC_UNORDERED)},
        {KEY(task_entry_invalidate, TASK_INVALIDATES_EARLY)},
    };
    static void (*const drivers[])(struct machine *, const struct drive_options *,
                                   struct drive_result *) = {drive_timed, drive_random, drive_pct};
    enum { CONTRACTS = sizeof contracts / sizeof *contracts, DRIVERS = 3, SEEDS = 20 };
    for (int i = 0; i < CONTRACTS * DRIVERS; i++) {
        struct rig r = {0};
        struct builder b = {.arena = &r.arena};
        three_tasks(&b);
        rig_open_program(&r, with_tasks(&b, three, 3), "a2a3", contracts[i / DRIVERS], false);
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct drive_options o = {.seed = seed, .pct_depth = 2, .pct_steps = 20};
            struct drive_result result = {0};
            machine_reset(r.machine);
            drivers[i % DRIVERS](r.machine, &o, &result);
            cr_expect(machine_at_end(r.machine), "contract %d, driver %d, seed %d", i / DRIVERS,
                      i % DRIVERS, (int)seed);
        }
        rig_close(&r);
    }
}

/* ---- which steps commute ---- */

/* Two cores of rank 0, one of rank 1, that share lines: publish, then read and publish again. */
static void three_cores(struct builder *b)
{
    struct loc x = var(b, "x", 2), y = var(b, "y", 1);
    core(b, 0);
    task(b, "one");
    st(b, x, 1);
    dcci(b, x);
    dsb(b);
    end(b);
    task(b, "two");
    ld(b, 2, on(y, 1));
    core(b, 0);
    task(b, "three");
    ld(b, 2, x);
    st_atomic(b, on(y, 1), 1);
    dcci(b, on(y, 1));
    core(b, 1);
    task(b, "four");
    st(b, on(word(x, 1), 0), 3);
    dcci(b, on(word(x, 1), 0));
}

static const struct given four[] = {
    {0, 0, -1, 0, 0, 0}, {0, 1, -1, 0, 0, 0}, {1, 0, 0, 0, 0, 0}, {2, 0, -1, 0, 0, 0}};

struct commute {
    struct rig *r;
    struct packer *p;
    struct pack_buffer state, ab, ba;
    int pairs, starts; /* with the start of a task among them */
};

static bool both(struct commute *c, struct transition a, struct transition b,
                 struct pack_buffer *out)
{
    struct machine *m = c->r->machine;
    pack_load(c->p, m, c->state.data);
    machine_fire(m, a);
    pack_step(c->p, m, a);
    bool enabled = transition_enabled(m, b);
    if (enabled) {
        machine_fire(m, b);
        pack_step(c->p, m, b);
    }
    keep_state(pack_store(c->p, m), out);
    return enabled;
}

static bool starts_task(const struct machine *m, struct transition t)
{
    const struct insn *i = t.kind == T_SCALAR ? machine_at(m, t.core) : NULL;
    return i && i->op == I_TASK;
}

static void check_pair(struct commute *c, struct transition a, struct transition b)
{
    struct footprint x, y;
    struct machine *m = c->r->machine;
    footprint_of(m, a, &x);
    footprint_of(m, b, &y);
    if (!independent(&x, &y))
        return;
    c->pairs++;
    c->starts += starts_task(m, a) || starts_task(m, b);
    bool ok = both(c, a, b, &c->ab) && both(c, b, a, &c->ba);
    cr_expect(ok && c->ab.len == c->ba.len && !memcmp(c->ab.data, c->ba.data, c->ab.len),
              "the order of steps %d.%d and %d.%d matters", a.kind, a.core, b.kind, b.core);
    pack_load(c->p, m, c->state.data);
}

Test(task, steps_that_are_called_independent_commute)
{
    enum { WALKS = 60, MAX_STEPS = 64 };
    struct rig r = {0};
    struct builder b = {.arena = &r.arena};
    struct rng rng = rng_make(1, 1);
    three_cores(&b);
    rig_open_program(&r, with_tasks(&b, four, 4), "a2a3", NULL, false);
    struct commute c = {.r = &r, .p = packer_new(r.machine)};
    for (int walk = 0; walk < WALKS; walk++) {
        struct transition t[MAX_STEPS];
        packer_free(c.p);
        machine_reset(r.machine);
        c.p = packer_new(r.machine);
        for (int n; (n = machine_enabled(r.machine, t, MAX_STEPS)) > 0;) {
            keep_state(pack_store(c.p, r.machine), &c.state);
            for (int i = 0; i < n; i++)
                for (int j = i + 1; j < n; j++)
                    check_pair(&c, t[i], t[j]);
            struct transition next = t[rng_below(&rng, (uint64_t)n)];
            machine_fire(r.machine, next);
            pack_step(c.p, r.machine, next);
        }
        cr_expect(machine_at_end(r.machine));
    }
    cr_expect(c.pairs > 500 && c.starts > 100, "%d pairs, %d with a start", c.pairs, c.starts);
    packer_free(c.p);
    pack_buffer_free(&c.state);
    pack_buffer_free(&c.ab);
    pack_buffer_free(&c.ba);
    rig_close(&r);
}

/* ---- time ---- */

struct starts {
    uint64_t at[2];
};

static void note_start(void *ctx, const struct machine *m, const struct step *s)
{
    struct starts *starts = ctx;
    const struct insn *i = s->t.kind == T_SCALAR ? machine_at(m, s->t.core) : NULL;
    if (i && i->op == I_TASK)
        starts->at[s->t.core] = s->end;
}

static void two_ranks(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    for (int rank = 0; rank < 2; rank++) {
        core(b, rank);
        task(b, "store");
        st(b, x, 1);
    }
}

static struct starts timed_starts(const struct given *g, struct drive_options o,
                                  const struct key *keys)
{
    struct rig r = {0};
    struct builder b = {.arena = &r.arena};
    struct drive_result result = {0};
    struct starts starts = {0};
    two_ranks(&b);
    rig_open_program(&r, with_tasks(&b, g, 2), "a2a3", keys, false);
    o.seed = o.seed ? o.seed : 1;
    o.on_step = note_start;
    o.ctx = &starts;
    drive_timed(r.machine, &o, &result);
    rig_close(&r);
    return starts;
}

static const struct key no_invalidate[ROW_KEYS] = {KEY(task_entry_invalidate, 0)};
static const struct given apart[] = {{0, 0, -1, 0, 0, 0}, {1, 0, -1, 0, 1, 0}};
static const struct given together[] = {{0, 0, -1, 0, 0, 0}, {1, 0, -1, 0, 0, 0}};

/* Cores come up within 3000 cycles of each other (the contract's skew). */
Test(task, a_submission_releases_its_tasks_a_skew_after_the_one_before)
{
    struct starts s =
        timed_starts(apart, (struct drive_options){.dispatch_skew = 100000}, no_invalidate);
    cr_expect(s.at[0] <= 3000, "the first starts at %d", (int)s.at[0]);
    cr_expect_eq(s.at[1], 100000);
}

Test(task, tasks_of_one_submission_are_released_together)
{
    struct starts s =
        timed_starts(together, (struct drive_options){.dispatch_skew = 100000}, no_invalidate);
    cr_expect(s.at[0] <= 3000 && s.at[1] <= 3000);
}

/* 1.4 to 7 ms of the contract, in cycles; a searching run scales them down on a log scale. */
Test(task, the_contract_has_a_skew_of_its_own_and_searching_runs_less)
{
    bool close = false, far = false;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct drive_options o = {.seed = seed, .dispatch_skew = SKEW_OF_CONTRACT};
        struct starts s = timed_starts(apart, o, no_invalidate);
        cr_expect(s.at[1] >= 2600000 && s.at[1] <= 13200000, "seed %d: %d", (int)seed,
                  (int)s.at[1]);
        o.adversary = true;
        s = timed_starts(apart, o, no_invalidate);
        close |= s.at[1] < 20000;
        far |= s.at[1] > 1000000;
    }
    cr_expect(close && far);
}

/* 0.02 to 2.7 ms lie between the ranks of a group at the most, and as
 * much less in a searching run. */
Test(task, ranks_of_a_group_are_released_within_its_spread)
{
    bool close = false, far = false;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct drive_options o = {.seed = seed, .dispatch_skew = SKEW_OF_CONTRACT};
        struct starts s = timed_starts(together, o, no_invalidate);
        uint64_t first = s.at[0] < s.at[1] ? s.at[0] : s.at[1], last = s.at[0] + s.at[1] - first;
        cr_expect(last <= 5000000, "seed %d: %d", (int)seed, (int)last);
        far |= last - first > 37000;
        o.adversary = true;
        s = timed_starts(together, o, no_invalidate);
        close |= s.at[0] < 3000 && s.at[1] < 3000;
    }
    cr_expect(close && far);
}
