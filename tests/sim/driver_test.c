/* SPDX-License-Identifier: MIT */
/*
 * The drivers (docs/machine.md): equal seeds give equal runs, every outcome is one that some
 * schedule has, no agent sleeps while it could go on, and time is accounted for.
 */
#include <xxhash.h>

#include "tests/sim/random.h"

typedef void driver(struct machine *m, const struct drive_options *o, struct drive_result *r);

static const struct {
    const char *name;
    driver *run;
} drivers[] = {{"timed", drive_timed}, {"random", drive_random}, {"pct", drive_pct}};
enum { DRIVERS = sizeof drivers / sizeof *drivers };

enum { MODELS = RANDOM_MODELS, LONG_RUN = 200000 };

static struct drive_options options(uint64_t seed)
{
    return (struct drive_options){
        .seed = seed, .max_transitions = LONG_RUN, .pct_depth = 3, .pct_steps = 40};
}

/* ---- equal seeds, equal runs ---- */

static void hash_step(void *ctx, const struct machine *m, const struct step *s)
{
    uint64_t fields[] = {s->t.kind, s->t.pipe, (uint64_t)s->t.core, (uint64_t)s->t.index,
                         s->start,  s->end,    (uint64_t)s->insn,   m->transitions};
    uint64_t *hash = ctx;
    *hash = XXH3_64bits_withSeed(fields, sizeof fields, *hash);
}

static uint64_t trace_hash(struct rig *r, driver *run, struct drive_options o)
{
    uint64_t hash = 0;
    struct drive_result result = {0};
    o.on_step = hash_step;
    o.ctx = &hash;
    machine_reset(r->machine);
    run(r->machine, &o, &result);
    return hash;
}

/* benign draws no latency at random: its timed runs are all one. */
static bool has_jitter(int d, const char *model)
{
    return drivers[d].run != drive_timed || strcmp(model, "benign") != 0;
}

Test(driver, equal_seeds_give_equal_runs)
{
    for (int i = 0; i < DRIVERS * MODELS; i++) {
        struct rig r, again;
        const char *name = drivers[i % DRIVERS].name, *model = random_models[i / DRIVERS];
        driver *run = drivers[i % DRIVERS].run;
        open_random(&r, 7, 2, 12, model);
        open_random(&again, 7, 2, 12, model);
        uint64_t first = trace_hash(&r, run, options(1));
        bool differ = false;
        for (uint64_t seed = 2; seed < 12; seed++)
            differ |= trace_hash(&r, run, options(seed)) != first;
        cr_expect(differ == has_jitter(i % DRIVERS, model), "%s on %s: seeds make a difference",
                  name, model);
        cr_expect(trace_hash(&r, run, options(1)) == first, "%s on %s: again", name, model);
        cr_expect(trace_hash(&again, run, options(1)) == first, "%s on %s: elsewhere", name, model);
        rig_close(&r);
        rig_close(&again);
    }
}

/* ---- every outcome of a driver is one of the machine ---- */

static void add_outcome(struct rig *r, void *ctx)
{
    struct arena a = {0};
    text_set_add(ctx, rig_outcome(r, &a));
    arena_free(&a);
}

enum { PROGRAMS = 200, EXPLORED_AT_LEAST = 150, EXPLORE_LIMIT = 30000, SEEDS = 8 };

static void expect_outcomes(struct rig *r, const struct text_set *all, uint64_t program,
                            const char *model)
{
    for (int i = 0; i < DRIVERS * SEEDS; i++) {
        struct drive_options o = options((uint64_t)(i / DRIVERS));
        struct drive_result result = {0};
        machine_reset(r->machine);
        drivers[i % DRIVERS].run(r->machine, &o, &result);
        if (result.timed_out) /* the test below is about that */
            continue;
        const char *outcome = rig_outcome(r, &r->arena);
        cr_expect(text_set_has(all, outcome),
                  "program %d on %s: %s with seed %d ends in '%s', no schedule does:\n%s\n%s",
                  (int)program, model, drivers[i % DRIVERS].name, i / DRIVERS, outcome,
                  text_set_join(all), program_print(r->program, &r->arena));
    }
}

Test(driver, outcomes_are_among_those_of_all_schedules)
{
    int explored = 0;
    for (uint64_t program = 0; program < PROGRAMS; program++) {
        struct rig r;
        const char *model = random_models[program % MODELS];
        open_random(&r, program, 2, 3, model);
        struct text_set all = {.arena = &r.arena};
        if (rig_explore(&r, true, EXPLORE_LIMIT, add_outcome, &all)) {
            explored++;
            expect_outcomes(&r, &all, program, model);
        }
        rig_close(&r);
    }
    cr_expect(explored >= EXPLORED_AT_LEAST, "explored %d of %d programs", explored, PROGRAMS);
}

/* ---- no lost wake-up ---- */

/* False when a run of the program does not end, or ends although it could go on. */
static bool stops_well(struct rig *r, int d, uint64_t seed, const char *where)
{
    struct drive_options o = options(seed);
    struct drive_result result = {0};
    machine_reset(r->machine);
    drivers[d].run(r->machine, &o, &result);
    bool well = !result.timed_out && (machine_at_end(r->machine) || rig_stuck(r));
    cr_expect(well, "%s with seed %d %s:\n%s", where, (int)seed,
              result.timed_out ? "does not end" : "stops too early",
              program_print(r->program, &r->arena));
    return well;
}

Test(driver, a_run_stops_only_when_nothing_can_happen)
{
    for (int i = 0; i < DRIVERS * MODELS; i++) {
        const char *name = drivers[i % DRIVERS].name, *model = random_models[i / DRIVERS];
        bool well = true;
        for (uint64_t run = 0; run < 120 && well; run++) {
            struct rig r;
            open_random(&r, 1000 + run / 3, 2, 10, model);
            const char *where =
                arena_printf(&r.arena, "%s on %s: program %d", name, model, (int)(run / 3));
            well = stops_well(&r, i % DRIVERS, run % 3, where);
            rig_close(&r);
        }
    }
}

/* The last store leaves its line dirty, and the run is over. */
static void dirty_last(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    st(b, x, 1);
}

/* Where lines leave on their own, memory is looked at before that, in between, or after it. */
Test(driver, a_run_is_over_when_cores_pipes_and_fabric_are_done)
{
    enum { SEEDS = 200 };
    for (int i = 0; i < DRIVERS * MODELS; i++) {
        struct rig r;
        const char *model = random_models[i / DRIVERS];
        struct text_set seen = {0};
        rig_open(&r, dirty_last, model, NULL, false);
        seen.arena = &r.arena;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct drive_options o = options(seed);
            struct drive_result result = {0};
            machine_reset(r.machine);
            drivers[i % DRIVERS].run(r.machine, &o, &result);
            text_set_add(&seen, arena_printf(&r.arena, "%s%d steps", rig_outcome(&r, &r.arena),
                                             (int)result.transitions));
        }
        bool evicts = r.contract.eviction == EVICTION_SPONTANEOUS;
        expect_text(arena_printf(&r.arena, "%s on %s", drivers[i % DRIVERS].name, model),
                    text_set_join(&seen),
                    evicts                ? "1 steps; 2 steps; x[0]@0=1 3 steps"
                    : r.contract.coherent ? "x[0]@0=1 1 steps"
                                          : "1 steps");
        rig_close(&r);
    }
}

/* ---- searching drivers reach what there is ---- */

/* Both messages travel at once: either may be seen first. */
static void two_paths(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    core(b, 0);
    st_dev(b, on(x, 1), 1);
    put(b, on(y, 1), 1);
    core(b, 1);
    ld_dev(b, 0, y);
    ld_dev(b, 1, x);
}

static void two_paths_back(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    core(b, 0);
    put(b, on(y, 1), 1);
    st_dev(b, on(x, 1), 1);
    core(b, 1);
    ld_dev(b, 1, x);
    ld_dev(b, 0, y);
}

/* Two lines of a store: under an unordered fabric either may land first. */
static void two_lines(struct builder *b)
{
    struct loc x = var(b, "x", 32);
    core(b, 0);
    int t = tile(b, 32);
    tile_st(b, t, 0, 1);
    tile_st(b, t, 31, 1);
    mte3(b, on(x, 1), t);
    core(b, 1);
    ld_dev(b, 0, word(x, 31));
    ld_dev(b, 1, x);
}

/* The second core must run between the first one's reads: pct needs a change of priority. */
static void two_reads(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    ld_dev(b, 0, x);
    ld_dev(b, 1, x);
    core(b, 1);
    st_dev(b, on(x, 0), 1);
}

static const struct {
    const char *name;
    void (*build)(struct builder *b);
    struct key keys[ROW_KEYS];
} reach_rows[] = {
    {"two paths", two_paths, {{0}}},
    {"two paths, read the other way", two_paths_back, {{0}}},
    {"two reads", two_reads, {{0}}},
    {"two lines", two_lines, {KEY(fabric, FABRIC_UNORDERED)}},
};

Test(driver, searching_drivers_reach_every_outcome)
{
    enum { REACH_SEEDS = 4000, TIMED = 0 };
    for (size_t i = 0; i < sizeof reach_rows / sizeof *reach_rows; i++) {
        struct rig r;
        rig_open(&r, reach_rows[i].build, "a2a3", reach_rows[i].keys, false);
        struct text_set all = {.arena = &r.arena};
        cr_expect(rig_explore(&r, true, EXPLORE_LIMIT, add_outcome, &all));
        for (int d = TIMED + 1; d < DRIVERS; d++) {
            struct text_set reached = {.arena = &r.arena};
            for (uint64_t seed = 0; seed < REACH_SEEDS; seed++) {
                struct drive_options o = options(seed);
                struct drive_result result = {0};
                o.pct_steps = 12;
                machine_reset(r.machine);
                drivers[d].run(r.machine, &o, &result);
                add_outcome(&r, &reached);
            }
            const char *name =
                arena_printf(&r.arena, "%s by %s", reach_rows[i].name, drivers[d].name);
            expect_text(name, text_set_join(&reached), text_set_join(&all));
        }
        rig_close(&r);
    }
}

/* ---- limits ---- */

static void two_stores(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    st_dev(b, x, 1);
    st_dev(b, x, 2);
    st_dev(b, x, 3);
}

Test(driver, the_limit_of_transitions_ends_a_run)
{
    for (int d = 0; d < DRIVERS; d++) {
        struct rig r;
        struct drive_options o = {.seed = 1, .max_transitions = 3};
        struct drive_result result = {0};
        rig_open(&r, two_stores, "a2a3", NULL, false);
        drivers[d].run(r.machine, &o, &result);
        cr_expect(result.timed_out && result.transitions == 3 && !machine_at_end(r.machine),
                  "%s: stops after three", drivers[d].name);
        for (uint64_t limit = 0; limit <= 6; limit += 6) { /* none, and one that is just enough */
            o.max_transitions = limit;
            machine_reset(r.machine);
            drivers[d].run(r.machine, &o, &result);
            cr_expect(!result.timed_out && result.transitions == 6 && machine_at_end(r.machine),
                      "%s: limit %d", drivers[d].name, (int)limit);
        }
        rig_close(&r);
    }
}

/* ---- what a trace tells ---- */

struct steps {
    uint64_t last_end, deliveries;
    const char *wrong;
};

static void check_step(void *ctx, const struct machine *m, const struct step *s)
{
    struct steps *seen = ctx;
    if (!transition_enabled(m, s->t))
        seen->wrong = "it is told before its effect";
    if (s->start > s->end || s->end < seen->last_end)
        seen->wrong = "times do not go back";
    seen->last_end = s->end;
    if (s->t.kind == T_SCALAR && s->insn != m->cores[s->t.core].pc)
        seen->wrong = "a scalar step tells its instruction";
    if (s->t.kind == T_PIPE && s->insn != machine_head(m, s->t.core, s->t.pipe)->insn)
        seen->wrong = "a pipe step tells its instruction";
    if ((s->t.kind == T_EVICT || s->t.kind == T_PREFETCH) && s->insn != -1)
        seen->wrong = "an eviction is no instruction";
    if ((s->t.kind == T_EVICT || s->t.kind == T_PREFETCH) && s->end - s->start > 1)
        seen->wrong = "an eviction happens at once";
    if (s->t.kind == T_DELIVER) {
        const struct message *msg = m->channels[s->t.index].head;
        seen->deliveries++;
        if (s->addr != msg->addr || s->len != msg->len || s->insn != msg->insn)
            seen->wrong = "a delivery tells what is written";
    }
}

Test(driver, steps_are_told_as_they_are)
{
    for (int i = 0; i < DRIVERS * MODELS; i++) {
        struct rig r;
        open_random(&r, 3, 2, 12, random_models[i / DRIVERS]);
        for (uint64_t seed = 0; seed < 5; seed++) {
            struct steps seen = {0};
            struct drive_options o = options(seed);
            struct drive_result result = {0};
            o.on_step = check_step;
            o.ctx = &seen;
            machine_reset(r.machine);
            drivers[i % DRIVERS].run(r.machine, &o, &result);
            cr_expect(!seen.wrong, "%s on %s: %s", drivers[i % DRIVERS].name,
                      random_models[i / DRIVERS], seen.wrong);
            cr_expect(seen.deliveries > 0 || !strcmp(random_models[i / DRIVERS], "sc"));
        }
        rig_close(&r);
    }
}

/* ---- time ---- */

static void one_dsb(struct builder *b)
{
    var(b, "x", 1);
    core(b, 0);
    dsb(b);
}

static void two_nops_one_dsb(struct builder *b)
{
    var(b, "x", 1);
    core(b, 0);
    nop(b);
    nop(b);
    dsb(b);
}

static void miss_and_hit(struct builder *b)
{
    struct loc x = var(b, "x", 2);
    core(b, 0);
    ld(b, 0, x);
    ld(b, 0, word(x, 1));
}

static void miss_and_store(struct builder *b)
{
    struct loc x = var(b, "x", 2);
    core(b, 0);
    ld(b, 0, x);
    st(b, x, 1);
}

static void peer_miss(struct builder *b)
{
    struct loc x = var(b, "x", 2);
    core(b, 0);
    ld(b, 0, on(x, 1));
}

static void barrier_of_all(struct builder *b)
{
    var(b, "x", 1);
    core(b, 0);
    barrier(b, PIPE_ALL);
}

static void two_lines_flushed(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    core(b, 0);
    ld(b, 0, x);
    ld(b, 0, y);
    dcci_all(b);
}

/* benign draws fixed latencies: models/machines/benign.model, a2a3.model. */
static const struct {
    const char *name;
    void (*build)(struct builder *b);
    uint64_t cycles;
} time_rows[] = {
    {"dsb", one_dsb, 10},
    {"two local instructions", two_nops_one_dsb, 2 + 10},
    {"a miss and a hit", miss_and_hit, 100 + 4},
    {"a store that hits", miss_and_store, 100 + 4},
    {"a miss at a peer", peer_miss, 800},
    {"barrier all", barrier_of_all, 20},
    {"dcci all of two clean lines", two_lines_flushed, 100 + 100 + 30 + 2},
};

Test(driver, cycles_are_the_contract_s)
{
    for (size_t i = 0; i < sizeof time_rows / sizeof *time_rows; i++) {
        struct rig r;
        struct drive_options o = {.seed = 1};
        rig_open(&r, time_rows[i].build, "benign", NULL, false);
        struct core_time time = {{0}, {0}, 0, 0};
        struct drive_result result = {.time = &time};
        drive_timed(r.machine, &o, &result);
        cr_expect(time.end == time_rows[i].cycles && result.cycles == time.end,
                  "%s: %d cycles, expected %d", time_rows[i].name, (int)time.end,
                  (int)time_rows[i].cycles);
        rig_close(&r);
    }
}

/* A core does one thing or waits for it from its start to its end. Each part is counted for itself. */
Test(driver, the_breakdown_covers_a_core_s_time)
{
    static const char *const models[] = {"benign", "a2a3", "weakest"};
    for (uint64_t program = 0; program < 200; program++) {
        struct rig r;
        struct drive_options o = {.seed = program, .adversary = program % 2};
        open_random(&r, 2000 + program, 2, 8, models[program % 3]);
        struct core_time time[2] = {{{0}, {0}, 0, 0}, {{0}, {0}, 0, 0}};
        struct drive_result result = {.time = time};
        drive_timed(r.machine, &o, &result);
        for (int c = 0; c < 2; c++) {
            uint64_t sum = time[c].start;
            for (int s = 0; s < SPENT_COUNT; s++)
                sum += time[c].cycles[s];
            cr_expect(!r.machine->cores[c].ended || sum == time[c].end,
                      "program %d: core %d spent %d of %d cycles", (int)program, c, (int)sum,
                      (int)time[c].end);
        }
        rig_close(&r);
    }
}

/* ---- misses that the invalidate behind a wait caused ---- */

static void acquire(struct builder *b)
{
    dcci_all(b)->origin = ORIGIN_R1;
}

static void read_again(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    ld(b, 0, x); /* the first fill is nobody's fault */
    acquire(b);
    ld(b, 0, x);
    ld(b, 0, x); /* hits */
}

/* Two in a row drop the line once. */
static void twice_without_a_read(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    core(b, 0);
    ld(b, 0, x);
    acquire(b);
    acquire(b);
    ld(b, 0, x);
    ld(b, 0, y); /* was not there */
}

/* The tail of a task, or the kernel's own dcci, would have dropped it too. */
static void dropped_by_another_too(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    core(b, 0);
    ld(b, 0, x);
    ld(b, 0, y);
    acquire(b);
    dcci(b, x);
    ld(b, 0, x);
    ld(b, 0, y);
    acquire(b);
    dcci_all(b);
    ld(b, 0, x);
    ld(b, 0, y);
}

static void of_another_rule(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    ld(b, 0, x);
    dcci_all(b)->origin = ORIGIN_TAIL;
    ld(b, 0, x);
}

/* A store that misses fills the line too, and that of a marker that names one line counts. */
static void stored_to(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    ld(b, 0, x);
    dcci(b, x)->origin = ORIGIN_R1;
    st(b, x, 1);
}

Test(driver, refills_are_misses_on_lines_that_a_wait_s_invalidate_dropped)
{
    static const struct {
        const char *name;
        void (*build)(struct builder *b);
        uint64_t misses, refills;
    } rows[] = {
        {"read again", read_again, 2, 1},
        {"twice without a read", twice_without_a_read, 3, 1},
        {"dropped by another too", dropped_by_another_too, 6, 1},
        {"of another rule", of_another_rule, 2, 0},
        {"stored to", stored_to, 2, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rig r;
        struct drive_options o = {.seed = 1};
        rig_open(&r, rows[i].build, "a2a3", NULL, false);
        r.machine->opt.sampled = true;
        for (int run = 0; run < 2; run++) { /* nothing is left of the one before */
            struct drive_result result = {0};
            machine_reset(r.machine);
            drive_timed(r.machine, &o, &result);
            const struct core_stats *s = &r.machine->stats[0];
            cr_expect(s->ld_miss + s->st_miss == rows[i].misses && s->refills == rows[i].refills,
                      "%s: %d misses, %d refills", rows[i].name, (int)(s->ld_miss + s->st_miss),
                      (int)s->refills);
        }
        rig_close(&r);
    }
}

Test(driver, only_the_adversary_slows_agents)
{
    static const struct {
        const char *model;
        bool slows;
    } rows[] = {{"a2a3", true}, {"benign", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rig r;
        bool differ = false;
        open_random(&r, 7, 2, 10, rows[i].model);
        for (uint64_t seed = 0; seed < 20; seed++) {
            struct drive_options plain = options(seed), slow = options(seed);
            slow.adversary = true;
            differ |= trace_hash(&r, drive_timed, plain) != trace_hash(&r, drive_timed, slow);
        }
        cr_expect(differ == rows[i].slows, "%s", rows[i].model);
        rig_close(&r);
    }
}

Test(driver, kinds_of_time_have_names)
{
    static const char *const names[] = {"scalar",  "miss", "dcci", "dsb",
                                        "barrier", "poll", "flag", "task"};
    cr_assert(sizeof names / sizeof *names == SPENT_COUNT);
    for (int s = 0; s < SPENT_COUNT; s++)
        expect_text("kind of time", spent_name((enum spent)s), names[s]);
}
