/* SPDX-License-Identifier: MIT */
/*
 * One machine, one answer. For random kernels and host programs under every contract:
 *
 *   - what a run of any driver finds first, exploration finds: the same verdict of the same word;
 *   - exploration with reduction finds what it finds without;
 *   - where some cores go first, it finds the same and comes to the same ends as with all of them, and
 *     as with clocks, all orders and all cores;
 *   - prefetches fill only lines that loads can name, and those are all that loads touch.
 *
 * SOAK=N looks at N times as many programs (`make soak`).
 */
#include <xxhash.h>

#include "base/strbuf.h"
#include "ir/parse.h"
#include "ir/verify.h"
#include "sim/driver.h"
#include "sim/explore/explore.h"
#include "sim/oracle.h"
#include "tests/litmus/litmus_rig.h"
#include "tests/litmus/random_course.h"
#include "tests/litmus/random_kernel.h"
#include "tests/litmus/random_lines.h"
#include "tests/litmus/trial.h"
#include "tests/support.h"

#include "codegen/kernel.h"

enum {
    KERNELS = 28,
    HOST_PROGRAMS = 21,
    LEAVING = 60, /* of both kinds */
    LINES = 300,
    COURSES = 100,
    TASK_PROGRAMS = 20,
    MAX_STATES = 1500,
    SEEDS = 6,
    MAX_TRANSITIONS = 20000,
};

static const char *const models[] = {"sc",        "benign",     "a2a3",   "a2a3-blocking",
                                     "a2a3-fifo", "a2a3-evict", "weakest"};
enum { MODELS = sizeof models / sizeof *models };

/* ---- what was found ---- */

struct seen {
    enum verdict verdict;
    uint64_t word;
};

struct findings {
    struct arena *arena;
    VEC(struct seen) items;
    VEC(uint64_t) finals; /* hashes of memory */
};

static bool has(const struct findings *f, struct seen x)
{
    vec_foreach (const struct seen, s, &f->items)
        if (s->verdict == x.verdict && s->word == x.word)
            return true;
    return false;
}

/* Of the step that first found something. */
static void add_first(struct findings *to, const struct oracle *o)
{
    int n;
    const struct finding *f = oracle_findings(o, &n);
    uint64_t first = UINT64_MAX;
    for (int i = 0; i < n; i++)
        first = f[i].step < first ? f[i].step : first;
    for (int i = 0; i < n; i++) {
        struct seen x = {f[i].verdict, f[i].addr & ~(uint64_t)3};
        if (f[i].step == first && !has(to, x))
            vec_push(to->arena, &to->items, x);
    }
}

static void on_finding(void *ctx, const struct machine *m)
{
    add_first(ctx, m->oracle);
}

static bool has_final(const struct findings *f, uint64_t hash)
{
    vec_foreach (const uint64_t, x, &f->finals)
        if (*x == hash)
            return true;
    return false;
}

static void on_final(void *ctx, const struct machine *m, bool deadlock)
{
    struct findings *f = ctx;
    uint64_t hash = deadlock;
    for (int r = 0; r < m->program->nranks; r++)
        hash = XXH3_64bits_withSeed(m->gm[r], m->program->gm_bytes, hash);
    if (!has_final(f, hash))
        vec_push(f->arena, &f->finals, hash);
}

static void on_restart(void *ctx)
{
    struct findings *f = ctx;
    f->items.len = f->finals.len = 0;
}

static const char *text_of(const struct program *p, const struct findings *f)
{
    struct strbuf b = strbuf_make(f->arena);
    vec_foreach (const struct seen, s, &f->items)
        strbuf_addf(&b, "%s%s at %s", b.len ? "; " : "", verdict_name(s->verdict),
                    program_where(p, s->word, f->arena));
    return b.text;
}

/* ---- programs ---- */

struct subject {
    struct arena arena;
    const char *name, *text;
    struct contract contract;
    const struct program *program;
};

/* Of a seed: which contract, toolchain and markers it is judged under follows from it. */
enum form { KERNEL, HOST_PROGRAM, TASK_PROGRAM };

static void subject_open(struct subject *s, uint64_t seed, enum form form)
{
    static const char *(*const random[])(struct arena *, uint64_t) = {
        random_kernel, random_host_program, random_task_program};
    static const char *const names[] = {"kernel", "host program", "task program"};
    static const int cores[] = {1, 1, 2};
    static const char *const toolchains[] = {"ptoas-0.57", "ptoas-0.50", "ptoas-0.57", "proposed"};
    *s = (struct subject){0};
    struct arena *a = &s->arena;
    struct diag d = {.arena = a};
    const char *model = models[seed % MODELS];
    struct toolchain t = *rig_toolchain(a, toolchains[seed / MODELS % 4]);
    bool markers = seed / 2 % 2;
    if (form != KERNEL && seed % 3)
        t.kernel_tail = TAIL_BARRIER;
    s->text = random[form](a, seed);
    s->name = arena_printf(a, "%s %d on %s, markers %s", names[form], (int)seed, model,
                           markers ? "on" : "off");
    s->contract = *rig_contract(a, model);
    s->contract.cores_per_rank = cores[form] + (form == HOST_PROGRAM && seed / 5 % 2);
    s->contract.task_entry_invalidate = seed / 3 % 2;
    struct kernel k = {.name = "random", .source = source_from_string(a, "k.py", s->text)};
    struct kernel_options o = {.pass = PASS_OPTIONS_DEFAULT,
                               .toolchain = &t,
                               .cores_per_rank = s->contract.cores_per_rank};
    o.pass.markers = markers;
    if (directives_scan(a, k.source, &k.directives, &d))
        k.program = ir_parse(a, k.source, &d);
    if (k.program && verify_program(k.program, &d))
        s->program = kernel_compile(a, &k, &o, RANDOM_KERNEL_RANKS, &d);
    cr_assert(s->program, "%s: %s\n%s", s->name, diag_text(&d, a), s->text);
}

/* ---- looking ---- */

static bool has_race(const struct findings *f)
{
    vec_foreach (const struct seen, s, &f->items)
        if (s->verdict == V_RACE)
            return true;
    return false;
}

enum how { BY_COURSE, BY_CLOCKS, BY_CLOCKS_AND_ALL_ORDERS };

/* *by_course: each read was compared with what a course says. */
static bool explored(const struct subject *s, enum how how, bool races, struct findings *f,
                     bool *by_course)
{
    bool reduction = how != BY_CLOCKS_AND_ALL_ORDERS;
    struct explore_options o = {.threads = 1,
                                .reduction = reduction,
                                .races = races,
                                .max_states = reduction ? MAX_STATES : 4 * MAX_STATES,
                                .oracle = true,
                                .clocks = how != BY_COURSE,
                                .on_finding = on_finding,
                                .on_restart = on_restart,
                                .ctx = f};
    struct explore_result r;
    explore(s->program, &s->contract, &o, &r);
    *by_course = !r.clocks;
    if (r.complete && reduction && !races && has_race(f))
        return explored(s, how, true, f, by_course);
    return r.complete;
}

/* False when there are too many states. first: cores may go first. */
static bool explored_briefly(const struct subject *s, bool first, struct findings *f,
                             struct explore_result *r)
{
    struct explore_options o = {.threads = 1,
                                .reduction = true,
                                .every_core = !first,
                                .max_states = (first ? 1 : 8) * MAX_STATES,
                                .oracle = true,
                                .brief = true,
                                .on_finding = on_finding,
                                .on_final = on_final,
                                .on_restart = on_restart,
                                .ctx = f};
    explore(s->program, &s->contract, &o, r);
    return r->complete;
}

static bool same(const struct findings *x, const struct findings *y)
{
    bool agree = x->items.len == y->items.len && x->finals.len == y->finals.len;
    vec_foreach (const struct seen, s, &x->items)
        agree &= has(y, *s);
    vec_foreach (const uint64_t, h, &x->finals)
        agree &= has_final(y, *h);
    return agree;
}

/* Cores that go first hide nothing from the others. *fewer: and save states. */
static bool first_cores_agree(struct subject *s, bool *fewer)
{
    struct findings first = {.arena = &s->arena}, all = first;
    struct explore_result r[2];
    *fewer = false;
    if (!explored_briefly(s, true, &first, &r[0]) || !explored_briefly(s, false, &all, &r[1]))
        return true;
    *fewer = r[0].states < r[1].states;
    bool agree = same(&first, &all);
    cr_expect(agree, "%s: with cores first %s, %zu ends; else %s, %zu ends\n%s", s->name,
              text_of(s->program, &first), first.finals.len, text_of(s->program, &all),
              all.finals.len, s->text);
    return agree;
}

static void (*const drivers[])(struct machine *, const struct drive_options *,
                               struct drive_result *) = {drive_timed, drive_random, drive_pct};
static const char *const driver_names[] = {"timed", "random", "pct"};

struct watch {
    const struct subject *subject;
    uint64_t prefetches;
};

static void on_step(void *ctx, const struct machine *m, const struct step *s)
{
    struct watch *w = ctx;
    const struct insn *i = s->t.kind == T_SCALAR ? machine_at(m, s->t.core) : NULL;
    w->prefetches += s->t.kind == T_PREFETCH;
    if (!i || i->op != I_LD || !machine_prefetches(m))
        return;
    uint64_t line = machine_effective_address(m, s->t.core) & ~(uint64_t)(m->contract->line - 1);
    const struct load_lines *l = &m->named[s->t.core];
    bool named = false;
    for (int k = 0; k < l->count; k++)
        named |= l->items[k] == line;
    cr_expect(named, "%s: a load touches a line that is not named", w->subject->name);
}

/* False when a run found what is not among all. */
static bool runs_agree(const struct subject *s, const struct findings *all, struct watch *w)
{
    struct oracle *oracle = oracle_new(s->program);
    struct machine *m = machine_new(s->program, &s->contract,
                                    (struct machine_options){.oracle = oracle, .kernel = true});
    bool agree = true;
    for (int i = 0; i < 3 * SEEDS && agree; i++) {
        struct drive_options o = {.seed = (uint64_t)(i / 3),
                                  .max_transitions = MAX_TRANSITIONS,
                                  .adversary = true,
                                  .dispatch_skew = SKEW_OF_CONTRACT,
                                  .pct_depth = 3,
                                  .pct_steps = 100,
                                  .on_step = on_step,
                                  .ctx = w};
        struct drive_result r = {0};
        struct findings mine = {.arena = all->arena};
        machine_reset(m);
        drivers[i % 3](m, &o, &r);
        int found;
        oracle_findings(oracle, &found);
        if (!found && !r.timed_out)
            oracle_finish(oracle, m);
        add_first(&mine, oracle);
        vec_foreach (const struct seen, x, &mine.items)
            agree &= has(all, *x);
        cr_expect(agree, "%s: %s with seed %d finds %s; exploration: %s\n%s", s->name,
                  driver_names[i % 3], i / 3, text_of(s->program, &mine),
                  all->items.len ? text_of(s->program, all) : "clean", s->text);
    }
    machine_free(m);
    oracle_free(oracle);
    return agree;
}

/* A course, and taking steps alone, change no finding. */
static bool the_long_way_agrees(const struct subject *s, enum how how, const struct findings *found)
{
    struct findings all = {.arena = found->arena};
    bool by_course;
    if (!explored(s, how, false, &all, &by_course))
        return true;
    bool agree = all.items.len == found->items.len;
    vec_foreach (const struct seen, x, &all.items)
        agree &= has(found, *x);
    cr_expect(agree, "%s: with clocks%s %s; else %s\n%s", s->name,
              how == BY_CLOCKS ? "" : " and in all orders", text_of(s->program, &all),
              text_of(s->program, found), s->text);
    return agree;
}

/* How many of the programs were explored to the end, how many of those had findings, and how many were
 * judged by a course. */
struct totals {
    int programs, explored, failing, by_course, fewer;
    uint64_t prefetches;
};

static struct totals look_at(int n, bool host)
{
    struct totals t = {0};
    for (int seed = 0; seed < n; seed++) {
        struct subject s;
        subject_open(&s, (uint64_t)seed, host);
        struct findings all = {.arena = &s.arena};
        t.programs++;
        bool by_course, fewer;
        n = first_cores_agree(&s, &fewer) ? n : 0;
        t.fewer += fewer;
        if (explored(&s, BY_COURSE, false, &all, &by_course)) {
            struct watch w = {.subject = &s};
            enum how how = seed % 4 ? BY_CLOCKS : BY_CLOCKS_AND_ALL_ORDERS;
            bool agree = runs_agree(&s, &all, &w) && the_long_way_agrees(&s, how, &all);
            t.explored++;
            t.by_course += by_course;
            t.failing += all.items.len > 0;
            t.prefetches += w.prefetches;
            n = agree ? n : 0; /* the first is enough */
        }
        arena_free(&s.arena);
    }
    return t;
}

static void expect_worth(const char *what, struct totals t)
{
    cr_expect(10 * t.explored > 6 * t.programs && 10 * t.failing > t.explored &&
                  10 * t.failing < 9 * t.explored && t.prefetches > 0 &&
                  10 * t.by_course > 3 * t.explored && 10 * t.fewer > t.programs,
              "%s: of %d programs %d were explored, %d of them with findings, %d by a course, "
              "%d with fewer states where cores go first, %llu prefetches",
              what, t.programs, t.explored, t.failing, t.by_course, t.fewer,
              (unsigned long long)t.prefetches);
}

Test(verdicts, of_kernels, .timeout = 36000)
{
    expect_worth("kernels", look_at(soaked(KERNELS), false));
}

Test(verdicts, of_host_programs, .timeout = 36000)
{
    expect_worth("host programs", look_at(soaked(HOST_PROGRAMS), true));
}

/* ---- lines that leave on their own ---- */

/* Each rule that says what a line brings along, how it is ordered and who waits for it. */
static void vary(struct contract *k, int n)
{
    /* Where all of a pair is in order, chunks in any order have channels of their own. */
    static const enum fabric fabrics[] = {FABRIC_PER_PATH, FABRIC_UNORDERED, FABRIC_PER_PAIR};
    k->writeback = n % 2 ? WRITEBACK_WORD : WRITEBACK_LINE;
    k->fabric = fabrics[n / 2 % 3];
    k->dma_chunk_order = k->fabric == FABRIC_PER_PAIR ? CHUNKS_ANY : CHUNKS_ASCENDING;
    k->dsb_waits = n / 5 % 3 ? DSB_POSTED : DSB_ALL_DMA;
    k->ack = n / 4 % 2 ? ACK_EGRESS : ACK_DESTINATION;
    k->st_dev = n / 8 % 2 ? ST_DEV_REGISTER : ST_DEV_MEMORY;
    k->dcci_unaligned = n / 4 % 3 ? DCCI_ALIGN_DOWN : DCCI_TAIL_ONLY;
}

Test(verdicts, where_lines_leave, .timeout = 36000)
{
    enum { EVICT = 5 };
    int fewer = 0, n = soaked(LEAVING);
    cr_assert_str_eq(models[EVICT], "a2a3-evict");
    for (int i = 0; i < n; i++) {
        struct subject s;
        bool saved;
        subject_open(&s, (uint64_t)(MODELS * (i / 2) + EVICT), i % 2);
        vary(&s.contract, i / 2);
        n = first_cores_agree(&s, &saved) ? n : 0; /* the first is enough */
        fewer += saved;
        arena_free(&s.arena);
    }
    cr_expect(3 * fewer > n, "only %d of %d programs have fewer states where lines leave late",
              fewer, n);
}

/* ---- all that saves states, and none of it ---- */

/* The rules that decide what may come before what, and who waits for it. */
static void vary_more(struct contract *k, int n)
{
    vary(k, n);
    if (k->fabric == FABRIC_PER_PAIR && n % 5)
        k->dma_chunk_order = CHUNKS_ASCENDING;
    k->eviction = n / 3 % 2 ? EVICTION_SPONTANEOUS : EVICTION_CAPACITY;
    k->prefetch = n % 7 ? PREFETCH_NONE : PREFETCH_SPONTANEOUS;
    k->pipe_barrier = n / 7 % 3 ? BARRIER_QUEUE_LOCAL : BARRIER_SCALAR_BLOCKING;
    k->v2c = n / 11 % 4 ? V2C_REDUCE : V2C_COUNT;
    k->ffts_set = n / 13 % 2 ? FFTS_SET_ACKED : FFTS_SET_POSTED;
    k->wait_dev = n % 17 ? WAIT_DEV_SCALAR : WAIT_DEV_CORE;
    k->task_entry_invalidate = n / 2 % 3;
}

/* With clocks, and the steps of all cores in every order; false when there are too many states. */
static bool explored_plainly(const struct subject *s, struct findings *f)
{
    struct explore_options o = {.threads = 1,
                                .max_states = 4 * MAX_STATES,
                                .oracle = true,
                                .clocks = true,
                                .on_finding = on_finding,
                                .on_final = on_final,
                                .ctx = f};
    struct explore_result r;
    explore(s->program, &s->contract, &o, &r);
    return r.complete;
}

/* True when the two were compared. */
static bool plain_agrees(struct subject *s)
{
    struct findings brief = {.arena = &s->arena}, plain = brief;
    struct explore_result r;
    if (!explored_briefly(s, true, &brief, &r) || has_race(&brief) || !explored_plainly(s, &plain))
        return false;
    cr_expect(same(&brief, &plain), "%s: briefly %s, %zu ends; plainly %s, %zu ends\n%s", s->name,
              text_of(s->program, &brief), brief.finals.len, text_of(s->program, &plain),
              plain.finals.len, s->text);
    struct watch w = {.subject = s};
    runs_agree(s, &brief, &w);
    return true;
}

/* Of tasks in every form: what runs find, exploration finds. True when all states were seen. */
static bool task_program_agrees(struct subject *s, bool *fewer)
{
    struct findings brief = {.arena = &s->arena};
    struct explore_result r;
    struct watch w = {.subject = s};
    first_cores_agree(s, fewer);
    return explored_briefly(s, true, &brief, &r) && !has_race(&brief) && runs_agree(s, &brief, &w);
}

Test(verdicts, of_task_programs, .timeout = 36000)
{
    int compared = 0, saved = 0, n = soaked(TASK_PROGRAMS);
    for (int seed = 0; seed < n; seed++) {
        struct subject s;
        bool fewer;
        subject_open(&s, (uint64_t)seed, TASK_PROGRAM);
        s.contract.task_entry_invalidate = seed % 3;
        compared += task_program_agrees(&s, &fewer);
        saved += fewer;
        arena_free(&s.arena);
    }
    cr_expect(
        2 * compared > n && 3 * saved > n,
        "of %d programs %d were compared with runs, %d have fewer states where cores go first", n,
        compared, saved);
}

Test(verdicts, where_nothing_races, .timeout = 36000)
{
    int compared = 0, n = soaked(COURSES);
    for (int i = 0; i < n; i++) {
        struct subject s = {0};
        struct random_course x = random_course(&s.arena, (uint64_t)i, rig_test);
        s.name = arena_printf(&s.arena, "course %d", i);
        s.text = x.text;
        s.program = x.program;
        s.contract = *litmus_contract(&s.arena, rig_contract(&s.arena, "a2a3"), x.test);
        vary_more(&s.contract, i);
        compared += plain_agrees(&s);
        arena_free(&s.arena);
    }
    cr_expect(2 * compared > n, "only %d of %d programs were compared", compared, n);
}

/* Of words that share lines, which only litmus tests can place so. */
static void subject_of_lines(struct subject *s, const char *name, const char *text)
{
    s->name = name;
    s->text = text;
    const struct litmus_test *t = rig_test(&s->arena, text);
    s->contract = *litmus_contract(&s->arena, rig_contract(&s->arena, "a2a3-evict"), t);
    s->program = t->program;
}

Test(verdicts, where_shared_lines_leave, .timeout = 36000)
{
    int fewer = 0, n = soaked(LINES);
    for (int i = 0; i < n; i++) {
        struct subject s = {0};
        bool saved;
        subject_of_lines(&s, arena_printf(&s.arena, "lines %d", i),
                         random_lines(&s.arena, (uint64_t)i));
        vary(&s.contract, i);
        n = first_cores_agree(&s, &saved) ? n : 0; /* the first is enough */
        fewer += saved;
        arena_free(&s.arena);
    }
    cr_expect(3 * fewer > n, "only %d of %d programs have fewer states where lines leave late",
              fewer, n);
}

static const struct {
    const char *name, *text;
} losses[] = {
    /* P1's line lacks m and is done with; whenever it lacks m, P0's dcci brings a line that lacks w.
     * Both losses are first in some run. */
    {"a loss before one that is sure to come", "GM LOSSES\n"
                                               "{ line m, x; line a, w; s; ranks = 2 }\n"
                                               "P0 | P1 ;\n"
                                               "st.dev m@0, 1 | wait s@1 >= 1 ;\n"
                                               "st a@0, 2 | st.dev w@0, 3 ;\n"
                                               "dcci a@0 | dsb ;\n"
                                               "notify.set s@1, 1 | st x@0, 4 ;\n"
                                               "exists (m@0=1)\n"},
    /* A line with both goes as two messages, and the run may be over between them. */
    {"a sum and a word of one line", "GM SUM\n"
                                     "{ line b, c; s; ranks = 2 }\n"
                                     "P0 | P1 ;\n"
                                     "st b@1, 3 | wait s@0 >= 1 ;\n"
                                     "st.atomic c@1, 4 | ;\n"
                                     "notify.add s@0, 1 | ;\n"
                                     "exists (b@1=0)\n"},
    /* A core adds to a line that it has stored to before: what has left by then is not in the line. */
    {"an add behind a store to the line", "GM ADD\n"
                                          "{ line a, b, c; line s, u; ranks = 1 }\n"
                                          "P0 | P0.1 ;\n"
                                          "dsb | st b@0, 1 ;\n"
                                          "notify.add u@0, 1 | st.atomic c@0, 2 ;\n"
                                          "wait s@0 >= 1 | dcci c@0 ;\n"
                                          "dcci b@0 | dsb ;\n"
                                          "ld r0, b@0 | notify.add s@0, 1 ;\n"
                                          "st.dev b@0, 3 | wait u@0 >= 1 ;\n"
                                          " | dcci c@0 ;\n"
                                          " | st a@0, 4 ;\n"
                                          "exists (a@0=0)\n"},
    /* What has left early is in memory before x, what is cleaned behind it: only so is x alone stale. */
    {"a store beside a line that is cleaned", "GM BESIDE\n"
                                              "{ a; x; s; ranks = 2 }\n"
                                              "P0 | P1 ;\n"
                                              "st a@1, 1 | wait s@0 >= 1 ;\n"
                                              "st.dev x@1, 2 | ld r0, a@1 ;\n"
                                              "dcci a@1 | ld r1, x@1 ;\n"
                                              "notify.add s@0, 1 | ;\n"
                                              "exists (a@1=0)\n"},
    /* The same of a line that is dirty already. */
    {"a line beside one that is cleaned", "GM BEFORE\n"
                                          "{ x; a; s; ranks = 2 }\n"
                                          "P0 | P1 ;\n"
                                          "st x@1, 2 | wait s@0 >= 1 ;\n"
                                          "st a@1, 1 | ld r0, a@1 ;\n"
                                          "dcci x@1 | ld r1, x@1 ;\n"
                                          "ld.dev r0, s@1 | ;\n"
                                          "dcci a@1 | ;\n"
                                          "notify.add s@0, 1 | ;\n"
                                          "exists (a@1=0)\n"},
    /* P1 polls the line that P0 adds to, and reads it behind the clean: then the sum need not have come. */
    {"a sum that is read when it is cleaned",
     "GM LATE\n"
     "{ line c, w; x; s; ranks = 3 }\n"
     "P0 | P1 | P2 ;\n"
     "st.atomic c@1, 1 | wait w@1 >= 1 | notify.add w@1, 1 ;\n"
     "st.dev x@0, 5 | dcci c@1 | ;\n"
     "dcci c@1 | wait s@0 >= 1 | ;\n"
     "notify.add s@0, 1 | ld r0, c@1 | ;\n"
     "exists (c@1=0)\n"},
};

Test(verdicts, where_a_line_leaves_first, .timeout = 36000)
{
    enum { CONTRACTS = 24 };
    for (size_t i = 0; i < CONTRACTS * sizeof losses / sizeof *losses; i++) {
        struct subject s = {0};
        bool saved;
        subject_of_lines(&s, losses[i / CONTRACTS].name, losses[i / CONTRACTS].text);
        vary(&s.contract, (int)(i % CONTRACTS));
        first_cores_agree(&s, &saved);
        cr_expect(saved, "%s: no fewer states", s.name);
        arena_free(&s.arena);
    }
}

#define FOUR(text)    text text text text
#define SIXTEEN(text) FOUR(text) FOUR(text) FOUR(text) FOUR(text)

/* A wait may be over although what its core knows of, or what something behind it tells of, has not
 * come; and it may matter what else has come by then. */
static const struct {
    const char *name, *text;
} early[] = {
    /* u is still 1 while the -1 is on its way: the wait does not wait for P2. */
    {"a decrement that is late", "GM DECREMENT\n"
                                 "{ u = 1; d; s; ranks = 3 }\n"
                                 "P0 | P1 | P2 ;\n"
                                 "notify.add u@1, -1 | wait s@0 >= 1 | st.dev d@1, 7 ;\n"
                                 "notify.add s@0, 1 | wait u@1 >= 1 | dsb ;\n"
                                 " | ld r0, d@1 | notify.add u@1, 1 ;\n"
                                 "exists (d@1=0)\n"},
    /* u is still 1 while P0's store is on its way, and P1's wait is over before P2 has set it. */
    {"a store that is late", "GM STORE\n"
                             "{ u = 1; s; v; d; ranks = 3 }\n"
                             "P0 | P1 | P2 ;\n"
                             "st.dev u@1, 0 | wait s@0 >= 1 | wait v@2 >= 1 ;\n"
                             "notify.add s@0, 1 | wait u@1 == 1 | st.dev d@1, 7 ;\n"
                             "notify.add v@2, 1 | ld r0, d@1 | dsb ;\n"
                             " | | notify.set u@1, 1 ;\n"
                             "exists (d@1=0)\n"},
    /* P1 knows of P0's add, but P2's is enough. */
    {"an add that another stands for", "GM ANOTHER\n"
                                       "{ u; d; s; ranks = 3 }\n"
                                       "P0 | P1 | P2 ;\n"
                                       "st.dev d@1, 7 | wait s@0 >= 1 | notify.add u@1, 1 ;\n"
                                       "notify.add u@1, 1 | wait u@1 >= 1 | ;\n"
                                       "notify.add s@0, 1 | ld r0, d@1 | ;\n"
                                       "exists (d@1=0)\n"},
    /* The scalar unit's set may come before that of the pipe. */
    {"a set that another overtakes", "GM OVERTAKEN\n"
                                     "{ d; ranks = 1 }\n"
                                     "P0.aic | P0.aiv0 | P0.aiv1 ;\n"
                                     "fix d, 7 | wait_cross 0 | wait_cross 0 ;\n"
                                     "set_cross fix, 2, 0 | ld r0, d | wait_cross 0 ;\n"
                                     "set_cross s, 2, 0 | wait_cross 0 | ;\n"
                                     "exists (d=0)\n"},
    /* Where sets count, either vector core raises the flag, and P0.aiv1's tells nothing of d. */
    {"a set that another stands for", "GM EITHER\n"
                                      "{ d; ranks = 1 }\n"
                                      "P0.aiv0 | P0.aiv1 | P0.aic ;\n"
                                      "mte3 d, 7 | set_cross s, 2, 0 | wait_cross 0 ;\n"
                                      "barrier all | | ld r0, d ;\n"
                                      "dsb | | wait_cross 0 ;\n"
                                      "set_cross s, 2, 0 | | ;\n"
                                      "exists (d=0)\n"},
    /* P2 tells of P0's add, and its own comes first. */
    {"an add that another tells of", "GM TELLS\n"
                                     "{ u; d; s; ranks = 3 }\n"
                                     "P0 | P1 | P2 ;\n"
                                     "st.dev d@1, 7 | wait u@1 >= 1 | wait s@0 >= 1 ;\n"
                                     "notify.add u@1, 1 | ld r0, d@1 | notify.add u@1, 1 ;\n"
                                     "notify.add s@0, 1 | | ;\n"
                                     "exists (d@1=0)\n"},
    /* The same two of lines that are also written. */
    {"an add beside a store that another stands for",
     "GM STANDS\n"
     "{ line u, w; d; s; ranks = 3 }\n"
     "P0 | P1 | P2 ;\n"
     "st.dev d@1, 7 | st.dev w@1, 3 | notify.add u@1, 1 ;\n"
     "notify.add u@1, 1 | wait s@0 >= 1 | ;\n"
     "notify.add s@0, 1 | wait u@1 >= 1 | ;\n"
     " | ld r0, d@1 | ;\n"
     "exists (d@1=0)\n"},
    {"an add beside a store that another tells of",
     "GM BEHIND\n"
     "{ line u, w; d; s; ranks = 3 }\n"
     "P0 | P1 | P2 ;\n"
     "st.dev d@1, 7 | st.dev w@1, 3 | wait s@0 >= 1 ;\n"
     "notify.add u@1, 1 | wait u@1 >= 1 | notify.add u@1, 1 ;\n"
     "notify.add s@0, 1 | ld r0, d@1 | ;\n"
     "exists (d@1=0)\n"},
    /* P0 carries the sum that it has brought already along with w, behind y: P1 does not wait for that. */
    {"a sum that is carried along", "GM CARRIED\n"
                                    "{ line u, w; line y, e; s; ranks = 2 }\n"
                                    "P0 | P1 ;\n"
                                    "notify.add u@1, 1 | wait u@1 >= 1 ;\n"
                                    "st w@1, 3 | ld r0, e@1 ;\n"
                                    "st.dev y@1, 4 | wait s@1 >= 1 ;\n"
                                    "dcci w@1 | ld r1, y@1 ;\n"
                                    "notify.add s@1, 1 | ;\n"
                                    "exists (y@1=0)\n"},
    /* P1 may look at the line of u and w between the two. */
    {"a sum beside one that is late", "GM NEIGHBOUR\n"
                                      "{ line u, w, d; ranks = 2 }\n"
                                      "P0 | P1 ;\n"
                                      "notify.add u@1, 1 | wait u@1 >= 1 ;\n"
                                      "notify.add w@1, 1 | ld r0, d@1 ;\n"
                                      " | wait.dev w@1 >= 1 ;\n"
                                      " | ld r1, w@1 ;\n"
                                      "exists (u@1=0)\n"},
    /* Where the waits go first whenever they can, the flag does not go up to 16. */
    {"sets that overflow if nobody takes them",
     "GM SETS\n"
     "{ x; ranks = 1 }\n"
     "P0.aiv0 | P0.aic ;\n" SIXTEEN("wait_cross 0 | set_cross fix, 2, 0 ;\n") "exists (x=0)\n"},
    /* No wait: how large c is when d is read tells, and only where it has come is z the first to be stale. */
    {"a load beside a sum", "GM LOADS\n"
                            "{ line c, d; s; z; ranks = 2 }\n"
                            "P0 | P1 ;\n"
                            "st.atomic c@1, 1 | ld r0, d@1 ;\n"
                            "dcci c@1 | wait s@1 >= 1 ;\n"
                            "notify.add s@1, 1 | ld r1, c@1 ;\n"
                            " | mte3 z@1, 2 ;\n"
                            " | ld r2, z@1 ;\n"
                            "exists (c@1=0)\n"},
    /* P0 tells P2, and P2 tells P1, which reads e before x has come. */
    {"a wait that is over behind another", "GM CHAIN\n"
                                           "{ line x, e; u; v; s; ranks = 3 }\n"
                                           "P0 | P1 | P2 ;\n"
                                           "notify.add v@2, 1 | wait u@1 >= 1 | wait v@2 >= 1 ;\n"
                                           "st.dev x@1, 1 | ld r0, e@1 | notify.add u@1, 1 ;\n"
                                           "notify.add s@1, 1 | wait s@1 >= 1 | ;\n"
                                           " | ld r1, x@1 | ;\n"
                                           "exists (x@1=0)\n"},
    /* What P0's scalar unit waits for is not the store, which may stay queued until the notify. */
    {"a barrier of another pipe", "GM BARRIER\n"
                                  "{ line y, e; x; s; ranks = 2 }\n"
                                  "P0 | P1 ;\n"
                                  "mte3 x@1, 1 | st.dev e@0, 5 ;\n"
                                  "mte2 t0, y@0 | wait s@1 >= 1 ;\n"
                                  "barrier mte2 | ld r0, x@1 ;\n"
                                  "dsb | ;\n"
                                  "notify.add s@1, 1 | ;\n"
                                  "exists (x@1=0)\n"},
    {"a flag of another pipe", "GM FLAG\n"
                               "{ line y, e; x; s; ranks = 2 }\n"
                               "P0 | P1 ;\n"
                               "mte3 x@1, 1 | st.dev e@0, 5 ;\n"
                               "mte2 t0, y@0 | wait s@1 >= 1 ;\n"
                               "set_flag mte2, s, 0 | ld r0, x@1 ;\n"
                               "wait_flag mte2, s, 0 | ;\n"
                               "dsb | ;\n"
                               "notify.add s@1, 1 | ;\n"
                               "exists (x@1=0)\n"},
    /* Where lines leave, u comes before it is cleaned, and P1 reads e before x. */
    {"a sum that somebody waits for", "GM AWAITED\n"
                                      "{ u; line x, e; s; ranks = 2 }\n"
                                      "P0 | P1 ;\n"
                                      "st.atomic u@1, 1 | wait u@1 >= 1 ;\n"
                                      "st.dev x@0, 2 | ld r0, e@0 ;\n"
                                      "dsb | wait s@1 >= 1 ;\n"
                                      "dcci u@1 | ld r1, x@0 ;\n"
                                      "notify.add s@1, 1 | ;\n"
                                      "exists (x@0=0)\n"},
    /* The wait is over at once, or never. */
    {"a sum that wraps", "GM WRAPS\n"
                         "{ u = 2147483647; ranks = 2 }\n"
                         "P0 | P1 ;\n"
                         "wait u@0 >= 1 | notify.add u@0, 1 ;\n"
                         "exists (u@0=0)\n"},
    /* What the wait for u leaves in the cache may lack w: how much has come by then tells. */
    {"a copy that is read after a wait", "GM COPY\n"
                                         "{ line u, w; s; ranks = 3 }\n"
                                         "P0 | P1 | P2 ;\n"
                                         "notify.add u@2, 1 | notify.add w@2, 1 | wait u@2 >= 1 ;\n"
                                         " | notify.add s@0, 1 | wait s@0 >= 1 ;\n"
                                         " | | ld r0, w@2 ;\n"
                                         "exists (u@2=0)\n"},
};

Test(verdicts, where_waits_are_over_early, .timeout = 36000)
{
    enum { CONTRACTS = 24 };
    for (size_t i = 0; i < 2 * CONTRACTS * sizeof early / sizeof *early; i++) {
        struct subject s = {0};
        bool saved;
        subject_of_lines(&s, early[i / 2 / CONTRACTS].name, early[i / 2 / CONTRACTS].text);
        vary(&s.contract, (int)(i / 2 % CONTRACTS));
        s.contract.eviction = i % 2 ? EVICTION_SPONTANEOUS : EVICTION_CAPACITY;
        s.contract.pipe_barrier = i / 4 % 2 ? BARRIER_SCALAR_BLOCKING : BARRIER_QUEUE_LOCAL;
        s.contract.v2c = i / 8 % 2 ? V2C_COUNT : V2C_REDUCE;
        first_cores_agree(&s, &saved);
        arena_free(&s.arena);
    }
}

/* ---- kernels, and what is left of them without one of their markers ---- */

static const struct {
    const char *kernel;
    int nranks;
    const char *arg; /* or NULL */
} marked[] = {{"local_read_credit", 2, NULL},
              {"local_read_credit", 3, NULL},
              {"put_ring", 2, NULL},
              {"all_to_all", 3, NULL},
              {"broadcast_get", 3, NULL},
              {"relay", 3, NULL},
              {"remote_store_push", 2, NULL},
              {"reduce_scatter", 2, NULL},
              {"two_kernel", 3, NULL},
              {"self_notify_credit_reset", 2, NULL},
              {"put_from_plain", 2, NULL},
              {"scalar_publish_first_line", 2, NULL},
              {"host/allreduce_mesh", 2, NULL},
              {"lanes_through_memory", 2, NULL},
              {"lanes_push_ring", 2, "R=1"},
              {"ring_allreduce", 2, "SEG=32"}};

/* Those with lines in caches, in which the leaving of one makes a difference. */
static const char *const cached[] = {"scalar_read_after_wait",   "scalar_publish",
                                     "store_read_back",          "get_plain",
                                     "self_notify_credit_reset", "notify_wait_tag"};

/* Every mutant with SOAK, else some of each kernel. */
static int each_mutant(const char *kernel, int nranks, const char *arg, const char *model, int step)
{
    struct subject s = {0};
    int fewer = 0;
    s.name = arena_printf(&s.arena, "%s on %s", kernel, model);
    struct trial t = {.kernel = kernel,
                      .model = model,
                      .toolchain = "ptoas-0.57",
                      .nranks = nranks,
                      .args = {arg}};
    const struct program *whole = trial_compile(&s.arena, &t);
    s.contract = explore_contract(whole, rig_contract(&s.arena, model), &(bool){0});
    for (int site = -1; site < whole->nsites; site += step) {
        bool removed[whole->nsites + 1], saved;
        memset(removed, 0, sizeof removed);
        removed[site < 0 ? whole->nsites : site] = true;
        s.program = program_without(whole, removed, &s.arena);
        s.text = arena_printf(&s.arena, "without site %d", site);
        first_cores_agree(&s, &saved);
        fewer += saved;
    }
    arena_free(&s.arena);
    return fewer;
}

Test(verdicts, where_cores_go_first, .timeout = 36000)
{
    static const char *const weak[] = {"a2a3", "a2a3-blocking", "a2a3-evict", "a2a3-fifo"};
    int fewer = 0, step = soaked(1) > 1 ? 1 : 3;
    for (size_t i = 0; i < sizeof marked / sizeof *marked; i++)
        for (size_t k = 0; k < sizeof weak / sizeof *weak; k++)
            fewer += each_mutant(marked[i].kernel, marked[i].nranks, marked[i].arg, weak[k],
                                 marked[i].arg && step > 1 ? 7 * step : step);
    cr_expect(fewer > 200, "only %d programs have fewer states where cores go first", fewer);
}

Test(verdicts, where_lines_of_kernels_leave, .timeout = 36000)
{
    int fewer = 0, step = soaked(1) > 1 ? 1 : 3;
    for (size_t i = 0; i < sizeof cached / sizeof *cached; i++)
        fewer += each_mutant(cached[i], 2, NULL, "a2a3-evict", step);
    cr_expect(fewer > 20, "only %d programs have fewer states where lines leave late", fewer);
}
