/* SPDX-License-Identifier: MIT */
/*
 * The explorer against plain enumeration: for random programs the final states are the same, and
 * what is found first, with and without partial-order reduction, with one worker and with two.
 * SOAK=N looks at N times as many.
 */
#include "sim/explore/explore.h"
#include "tests/sim/random.h"

enum { RUNS = 30000 };

typedef void open_fn(struct rig *r, uint64_t seed, int cores, int length, const char *model,
                     const struct key *keys);

/* Two cores of two ranks; three cores, two of them of one rank; addresses in registers. */
static const struct {
    open_fn *open;
    int cores, length, programs, compared_at_least;
} sizes[] = {
    {open_random_keys, 2, 3, 140, 110},
    {open_random_keys, 3, 2, 70, 55},
    {open_random_registers, 2, 3, 140, 110},
    {open_random_registers, 3, 2, 70, 55},
};

struct finals {
    const struct rig *rig;
    struct text_set outcomes;
};

static void add_final(void *ctx, const struct machine *m, bool deadlock)
{
    struct finals *f = ctx;
    struct rig at = *f->rig;
    at.machine = (struct machine *)(uintptr_t)m;
    cr_expect(deadlock != machine_at_end(m));
    text_set_add(&f->outcomes, rig_outcome(&at, f->outcomes.arena));
}

static void add_outcome(struct rig *r, void *ctx)
{
    struct arena a = {0};
    text_set_add(ctx, rig_outcome(r, &a));
    arena_free(&a);
}

static const struct {
    const char *name;
    int threads;
    bool reduction;
} ways[] = {{"plain", 1, false}, {"reduced", 1, true}, {"reduced, two workers", 2, true}};

static void compare(struct rig *r, const char *name, const char *all)
{
    uint64_t states = 0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct finals f = {.rig = r, .outcomes = {.arena = &r->arena}};
        struct explore_options o = {.threads = ways[i].threads,
                                    .reduction = ways[i].reduction,
                                    .max_states = 1000000,
                                    .on_final = add_final,
                                    .ctx = &f};
        struct explore_result result = {0};
        explore(r->program, &r->contract, &o, &result);
        cr_expect(result.complete, "%s: a limit was hit", name);
        const char *label = arena_printf(&r->arena, "%s, %s:\n%s", name, ways[i].name,
                                         program_print(r->program, &r->arena));
        expect_text(label, text_set_join(&f.outcomes), all);
        if (ways[i].threads > 1)
            cr_expect_eq(result.states, states, "%s: %lu states, with one worker %lu", name,
                         (unsigned long)result.states, (unsigned long)states);
        states = result.states;
    }
}

static int compare_programs(size_t size)
{
    int compared = 0;
    for (int program = 0; program < soaked(sizes[size].programs); program++) {
        struct rig r;
        const char *model = random_models[program % RANDOM_MODELS];
        sizes[size].open(&r, 5000 + (uint64_t)program, sizes[size].cores, sizes[size].length, model,
                         NULL);
        struct text_set all = {.arena = &r.arena};
        if (rig_explore(&r, true, RUNS, add_outcome, &all)) {
            compared++;
            compare(&r, arena_printf(&r.arena, "size %zu, program %d on %s", size, program, model),
                    text_set_join(&all));
        }
        rig_close(&r);
    }
    return compared;
}

Test(explore, final_states_are_those_of_all_schedules)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int compared = compare_programs(i);
        cr_expect(compared >= soaked(sizes[i].compared_at_least), "compared %d of %d programs",
                  compared, soaked(sizes[i].programs));
    }
}

/* Contracts that no model file has: each key that the explorer's
 * reductions look at, the other way. */
static const struct {
    const char *name, *model;
    struct key keys[ROW_KEYS];
} variants[] = {
    {"word", "a2a3", {KEY(writeback, WRITEBACK_WORD)}},
    {"tails", "a2a3-evict", {KEY(dcci_unaligned, DCCI_TAIL_ONLY)}},
    {"dsb scalar", "weakest", {KEY(dsb_waits, DSB_SCALAR)}},
    {"dsb all", "a2a3", {KEY(dsb_waits, DSB_ALL_DMA)}},
    {"egress", "a2a3-fifo", {KEY(ack, ACK_EGRESS)}},
    {"chunks", "a2a3", {KEY(dma_chunk_order, CHUNKS_ANY)}},
    {"chunks, other messages in order", "a2a3-fifo", {KEY(dma_chunk_order, CHUNKS_ANY)}},
    {"lines in order", "a2a3", {KEY(fabric, FABRIC_UNORDERED)}},
    {"st.dev apart", "a2a3-fifo", {KEY(st_dev, ST_DEV_REGISTER)}},
    {"st.dev apart, lines in order", "weakest", {KEY(st_dev, ST_DEV_REGISTER)}},
    {"prefetch only", "a2a3", {KEY(prefetch, PREFETCH_SPONTANEOUS)}},
    {"evictions in order", "a2a3-fifo", {KEY(eviction, EVICTION_SPONTANEOUS)}},
    {"read, modify, write", "a2a3", {KEY(partial_line_dma, PARTIAL_READ_MODIFY_WRITE)}},
    {"read, modify, write; lines move",
     "weakest",
     {KEY(partial_line_dma, PARTIAL_READ_MODIFY_WRITE), KEY(writeback, WRITEBACK_WORD)}},
    {"blocks", "a2a3", {KEY(dma_block, DMA_BLOCK_32)}},
    {"counted flags", "a2a3", {KEY(v2c, V2C_COUNT)}},
    {"flags overtake stores", "a2a3", {KEY(ffts_set, FFTS_SET_POSTED)}},
    {"flags counted, and overtake",
     "weakest",
     {KEY(v2c, V2C_COUNT), KEY(ffts_set, FFTS_SET_POSTED)}},
    {"waits stop the core", "a2a3", {KEY(wait_dev, WAIT_DEV_CORE)}},
};
/* Two partial stores of one core to one line, while another core's steps lead the search away and
 * back: the second carries along what the first has not yet brought to memory. */
static void partial_stores(struct builder *b)
{
    struct loc x = var(b, "x", 2), y = var(b, "y", 1);
    core(b, 0);
    put(b, x, 1);
    put(b, word(x, 1), 2);
    core(b, 0);
    st_dev(b, y, 1);
    dsb(b);
    ld_dev(b, 0, x);
    ld_dev(b, 1, x);
}

Test(explore, words_that_a_partial_store_carries_along)
{
    static const struct key keys[ROW_KEYS] = {KEY(partial_line_dma, PARTIAL_READ_MODIFY_WRITE)};
    struct rig r;
    rig_open(&r, partial_stores, "a2a3", keys, false);
    struct text_set all = {.arena = &r.arena};
    cr_assert(rig_explore(&r, true, RUNS, add_outcome, &all));
    compare(&r, "partial stores", text_set_join(&all));
    rig_close(&r);
}

enum {
    VARIANTS = sizeof variants / sizeof *variants,
    VARIANT_PROGRAMS = 228,
    VARIANTS_COMPARED_AT_LEAST = 180
};

static int compare_variants(open_fn *open, uint64_t first_seed)
{
    int compared = 0;
    for (int program = 0; program < soaked(VARIANT_PROGRAMS); program++) {
        struct rig r;
        int v = program % VARIANTS;
        open(&r, first_seed + (uint64_t)program, 2, 3, variants[v].model, variants[v].keys);
        struct text_set all = {.arena = &r.arena};
        if (rig_explore(&r, true, RUNS, add_outcome, &all)) {
            compared++;
            compare(&r, arena_printf(&r.arena, "program %d, %s", program, variants[v].name),
                    text_set_join(&all));
        }
        rig_close(&r);
    }
    return compared;
}

Test(explore, final_states_under_other_contracts)
{
    int literal = compare_variants(open_random_keys, 7000);
    int through = compare_variants(open_random_registers, 800000);
    int least = soaked(VARIANTS_COMPARED_AT_LEAST);
    cr_expect(literal >= least && through >= least, "compared %d and %d of %d programs", literal,
              through, soaked(VARIANT_PROGRAMS));
}

/* ---- what is found first ---- */

/* Those contracts under which every run ends: lines do not move on their own. */
static const char *const ending[] = {"sc", "benign", "a2a3", "a2a3-blocking", "a2a3-fifo"};
enum { ENDING = sizeof ending / sizeof *ending, JUDGED = 60, JUDGED_AT_LEAST = 36 };

struct firsts {
    const struct program *program;
    struct text_set set;
};

static void add_first(struct firsts *f, const struct oracle *o)
{
    int n;
    const struct finding *x = oracle_findings(o, &n);
    uint64_t first = UINT64_MAX;
    for (int i = 0; i < n; i++)
        if (!verdict_for_later(x[i].verdict))
            first = x[i].step < first ? x[i].step : first;
    struct arena a = {0};
    for (int i = 0; i < n; i++)
        if (x[i].step == first || (verdict_for_later(x[i].verdict) && x[i].step < first))
            text_set_add(&f->set, arena_printf(&a, "%s of %s", verdict_name(x[i].verdict),
                                               program_where(f->program, x[i].addr, &a)));
    arena_free(&a);
}

static void add_run(struct rig *r, void *ctx)
{
    int n, errors = 0;
    const struct finding *f = oracle_findings(r->oracle, &n);
    for (int i = 0; i < n; i++)
        errors += !verdict_for_later(f[i].verdict);
    if (errors == 0)
        oracle_finish(r->oracle, r->machine);
    add_first(ctx, r->oracle);
}

static void add_finding(void *ctx, const struct machine *m)
{
    add_first(ctx, m->oracle);
}

static bool has_race(const struct firsts *f)
{
    vec_foreach (const char *, text, &f->set.items)
        if (strstr(*text, "race"))
            return true;
    return false;
}

static const char *explored_firsts(struct rig *r, bool races)
{
    struct firsts f = {r->program, {.arena = &r->arena}};
    struct explore_options o = {.threads = 1,
                                .reduction = true,
                                .races = races,
                                .oracle = true,
                                .on_finding = add_finding,
                                .ctx = &f};
    struct explore_result result;
    explore(r->program, &r->contract, &o, &result);
    return has_race(&f) && !races ? explored_firsts(r, true) : text_set_join(&f.set);
}

/* Rank 1 keeps an old line of x, and its transfer of y is queued when it loads x: a step that may
 * be taken alone finds one, and another step finds the other if it comes first. */
static void two_stale_reads(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1), s = var(b, "s", 1),
               ready = var(b, "ready", 1);
    core(b, 0);
    wait_ge(b, ready, 1);
    st_dev(b, on(x, 1), 1);
    put(b, on(y, 1), 2);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    int t = tile(b, 1);
    ld(b, 0, x);
    post_add(b, on(ready, 0), 1);
    wait_ge(b, s, 1);
    mte2(b, t, y);
    ld(b, 1, x);
}

/* The second store races with the transfer, which is stale when it comes before that store. */
static void stale_or_race(struct builder *b)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1);
    core(b, 0);
    st(b, x, 1);
    post_add(b, on(s, 1), 1);
    st(b, x, 2);
    core(b, 1);
    int t = tile(b, 1);
    wait_ge(b, s, 1);
    mte2(b, t, on(x, 0));
}

Test(explore, a_finding_hides_no_other_that_may_come_first)
{
    struct rig r;
    rig_open(&r, stale_or_race, "a2a3", NULL, true);
    expect_text("a stale read or a race", explored_firsts(&r, false),
                "race of x[0]@0; stale read of x[0]@0");
    rig_close(&r);
    rig_open(&r, two_stale_reads, "a2a3", NULL, true);
    expect_text("two stale reads", explored_firsts(&r, false),
                "stale read of x[0]@1; stale read of y[0]@1");
    rig_close(&r);
}

Test(explore, what_is_found_first_is_that_of_all_runs)
{
    int compared = 0;
    for (int n = 0; n < soaked(JUDGED); n++) {
        struct rig r;
        open_random_judged(&r, 9000 + (uint64_t)n, 2, 3 + n % 2, ending[n % ENDING]);
        struct firsts all = {r.program, {.arena = &r.arena}};
        if (rig_explore(&r, false, RUNS, add_run, &all)) {
            compared++;
            expect_text(arena_printf(&r.arena, "program %d on %s:\n%s", n, ending[n % ENDING],
                                     program_print(r.program, &r.arena)),
                        explored_firsts(&r, false), text_set_join(&all.set));
        }
        rig_close(&r);
    }
    cr_expect(compared >= soaked(JUDGED_AT_LEAST), "compared %d of %d programs", compared,
              soaked(JUDGED));
}
