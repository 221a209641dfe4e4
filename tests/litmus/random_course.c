/* SPDX-License-Identifier: MIT */
#include "tests/litmus/random_course.h"

#include <stdbool.h>
#include <string.h>

#include "base/rng.h"
#include "base/strbuf.h"

enum { CORES = 3, LENGTH = 24, WORDS = 5, SIGNALS = 3, FLAGS = 2, MOST_SETS = 3, MOST_TASKS = 4 };

/* How many steps of each core come before a point. */
struct clock {
    int of[CORES];
};

/* Data, or a signal: what has been done to it, and what its value tells. */
struct word {
    int home; /* rank */
    struct clock writes, adds, reads;
    int value;
    struct clock told;
};

/* A task of a column: the one that it waits for, of another (-1: of none), and what its end tells. */
struct given {
    struct task_ref after;
    struct clock end;
};

struct column {
    const char *name, *insns[LENGTH];
    struct given tasks[MOST_TASKS];
    int ntasks, rank;
    int count, regs, tiles, flags; /* flags: set and not waited for */
    unsigned dirty;                /* words that are stored and not yet cleaned, as bits */
    bool queued;                   /* transfers that store */
    struct clock clock;
    struct clock sets[FLAGS][MOST_SETS]; /* of a flag between cores */
    int set[FLAGS], taken[FLAGS];
};

struct menu {
    struct arena *arena;
    struct rng rng;
    int value, ncores;
    bool lanes, tasks;
    bool careful; /* most markers are where they are needed */
    struct column columns[CORES];
    struct word words[WORDS + SIGNALS];
};

/* A word's line is shared with others or not; the last three are signals. */
static const char *const layouts[] = {
    "a; b; c; d; e; s; u; v",           "line a, b; line c, d, e; s; u; v",
    "line a, b, c; d; e; line s, u, v", "line a, s; line b, u; c; d; line e, v",
    "line a, b, c, d, e; line s, u; v", "line a, b, s; line c, d; e; u; v"};
static const char *const words[] = {"a", "b", "c", "d", "e", "s", "u", "v"};

static int below(struct menu *m, int n)
{
    return (int)rng_below(&m->rng, (uint64_t)n);
}

static void add(struct column *c, const char *insn)
{
    if (c->count < LENGTH)
        c->insns[c->count++] = insn;
}

static const char *at(struct menu *m, int w)
{
    return arena_printf(m->arena, "%s@%d", words[w], m->words[w].home);
}

/* ---- what is ordered ---- */

static void join(struct clock *c, const struct clock *other)
{
    for (int i = 0; i < CORES; i++)
        c->of[i] = c->of[i] > other->of[i] ? c->of[i] : other->of[i];
}

static bool knows(const struct column *c, const struct clock *of)
{
    for (int i = 0; i < CORES; i++)
        if (of->of[i] > c->clock.of[i])
            return false;
    return true;
}

static bool may_read(const struct column *c, const struct word *w)
{
    return knows(c, &w->writes) && knows(c, &w->adds);
}

static bool may_write(const struct column *c, const struct word *w)
{
    return may_read(c, w) && knows(c, &w->reads);
}

static bool may_add(const struct column *c, const struct word *w)
{
    return knows(c, &w->writes) && knows(c, &w->reads);
}

/* Core has done it. */
static void note(struct menu *m, int core, struct clock *deed)
{
    deed->of[core] = ++m->columns[core].clock.of[core];
}

/* ---- accesses ---- */

static void read_word(struct menu *m, int core, int w)
{
    struct column *c = &m->columns[core];
    note(m, core, &m->words[w].reads);
    switch (below(m, 5)) {
    case 0:
        add(c, arena_printf(m->arena, "mte2 t%d, %s", c->tiles++, at(m, w)));
        break;
    case 1:
        add(c, arena_printf(m->arena, "ld.dev r%d, %s", c->regs++, at(m, w)));
        break;
    default:
        add(c, arena_printf(m->arena, "ld r%d, %s", c->regs++, at(m, w)));
    }
}

/* A vector core stores by MTE3, a cube core by FIX. */
static const char *some_dma(struct menu *m, int core)
{
    bool cube = m->lanes ? core == 0 : below(m, 4) == 0;
    return cube ? "fix" : "mte3";
}

static void write_word(struct menu *m, int core, int w)
{
    struct column *c = &m->columns[core];
    static const char *const scalar[] = {"st", "st", "st", "st.dev"};
    bool dma = below(m, 3) == 0;
    note(m, core, &m->words[w].writes);
    const char *store = dma ? some_dma(m, core) : scalar[below(m, 4)];
    c->queued |= dma;
    c->dirty |= strcmp(store, "st") ? 0 : 1u << w;
    add(c, arena_printf(m->arena, "%s %s, %d", store, at(m, w), ++m->value));
}

static void add_word(struct menu *m, int core, int w)
{
    struct column *c = &m->columns[core];
    bool dma = below(m, 2);
    note(m, core, &m->words[w].adds);
    c->queued |= dma;
    c->dirty |= dma ? 0 : 1u << w;
    add(c, arena_printf(m->arena, "%s%s %s, %d", dma ? some_dma(m, core) : "st",
                        dma ? ".add" : ".atomic", at(m, w), ++m->value));
}

/* By the library's transfer, or by one that is left to flags of the pipes, or to none. */
static void copy_word(struct menu *m, int core, int to, int from)
{
    struct column *c = &m->columns[core];
    int way = below(m, m->lanes ? 2 : 4), tile = c->tiles;
    note(m, core, &m->words[from].reads);
    note(m, core, &m->words[to].writes);
    c->queued = true;
    if (way > 1) {
        add(c, arena_printf(m->arena, "%s %s, %s", way == 2 ? "tput" : "tget", at(m, to),
                            at(m, from)));
        return;
    }
    add(c, arena_printf(m->arena, "mte2 t%d, %s", c->tiles++, at(m, from)));
    const char *store = some_dma(m, core);
    for (int set = 1; way && set >= 0; set--)
        add(c, arena_printf(m->arena, "%s_flag mte2, %s, 1", set ? "set" : "wait", store));
    add(c, arena_printf(m->arena, "%s %s, t%d", store, at(m, to), tile));
}

static bool access_word(struct menu *m, int core)
{
    const struct column *c = &m->columns[core];
    int w = below(m, WORDS), x = below(m, WORDS);
    switch (below(m, 7)) {
    case 0:
    case 1:
    case 2:
        return may_read(c, &m->words[w]) ? (read_word(m, core, w), true) : false;
    case 3:
    case 4:
        return may_write(c, &m->words[w]) ? (write_word(m, core, w), true) : false;
    case 5:
        return may_add(c, &m->words[w]) ? (add_word(m, core, w), true) : false;
    default:
        return w != x && may_write(c, &m->words[w]) && may_read(c, &m->words[x])
                   ? (copy_word(m, core, w, x), true)
                   : false;
    }
}

/* ---- signals ---- */

/* Now and then one is forgotten. */
static void publish(struct menu *m, struct column *c)
{
    for (int w = 0; w < WORDS; w++)
        if (c->dirty >> w & 1 && below(m, 8))
            add(c, arena_printf(m->arena, "dcci %s", at(m, w)));
    if (c->queued && below(m, 8))
        add(c, "barrier all");
    if (below(m, 8))
        add(c, "dsb");
    c->dirty = c->queued = 0;
}

static bool notify(struct menu *m, int core)
{
    struct column *c = &m->columns[core];
    int w = WORDS + below(m, SIGNALS), by = below(m, 5) ? 1 + below(m, 2) : -1;
    struct word *s = &m->words[w];
    bool set = below(m, 4) == 0;
    if (!(set ? may_write(c, s) && knows(c, &s->told) : may_add(c, s)))
        return false;
    if (m->careful)
        publish(m, c);
    note(m, core, set ? &s->writes : &s->adds);
    s->value = set ? by : s->value + by;
    if (set)
        s->told = c->clock;
    join(&s->told, &c->clock);
    add(c, arena_printf(m->arena, "notify.%s %s, %d", set ? "set" : "add", at(m, w), by));
    return true;
}

/* For what the signal is now, or for less; most waits tell something. */
static bool wait(struct menu *m, int core)
{
    static const char *const compares[] = {">=", ">=", ">=", "=="};
    struct column *c = &m->columns[core];
    int w = WORDS + below(m, SIGNALS), compare = below(m, 4);
    struct word *s = &m->words[w];
    bool past = below(m, 4) == 0;
    if (knows(c, &s->told) && below(m, 8))
        return false;
    join(&c->clock, &s->told);
    add(c, arena_printf(m->arena, "wait%s %s %s %d", past ? ".dev" : "", at(m, w),
                        past && below(m, 3) == 0 && s->value > 0 ? "u>=" : compares[compare],
                        s->value - (compare == 0 && below(m, 3) == 0)));
    note(m, core, &s->reads);
    s->reads = (struct clock){0}; /* waits conflict with nothing */
    if (m->careful && below(m, 4))
        add(c, "dcci all");
    return true;
}

/* ---- order ---- */

static void flag(struct menu *m, struct column *c, int k)
{
    static const char *const pairs[] = {"mte2, mte3, 0", "mte3, s, 0", "mte2, s, 0"};
    bool up = c->flags >> k & 1;
    add(c, arena_printf(m->arena, "%s_flag %s", up ? "wait" : "set", pairs[k]));
    c->flags ^= 1 << k;
}

static void order(struct menu *m, int core)
{
    static const char *const pipes[] = {"all", "all", "all", "mte2", "mte3", "fix"};
    struct column *c = &m->columns[core];
    switch (below(m, 9)) {
    case 0:
    case 1:
        add(c, "dsb");
        break;
    case 2:
        add(c, arena_printf(m->arena, "barrier %s", pipes[below(m, 6)]));
        break;
    case 3:
        add(c, "dcci all");
        break;
    case 4:
        flag(m, c, below(m, 3));
        break;
    default:
        add(c, arena_printf(m->arena, "dcci %s", at(m, below(m, WORDS + (below(m, 4) == 0)))));
    }
}

/* ---- flags between the lanes of a cluster: the first core is the cube core ---- */

static void set_cross(struct menu *m, int core, int id, const char *pipe)
{
    struct column *c = &m->columns[core];
    ++c->clock.of[core];
    c->sets[id][c->set[id]++] = c->clock;
    add(c, arena_printf(m->arena, "set_cross %s, 2, %d", pipe, id));
}

/* All that have to set it for core have done so once more than it has taken it. */
static bool is_up(const struct menu *m, int core, int id)
{
    int from = core ? 0 : 1, to = core ? 1 : CORES, taken = m->columns[core].taken[id];
    bool up = true;
    for (int i = from; i < to; i++)
        up &= m->columns[i].set[id] > taken;
    return up;
}

static void wait_cross(struct menu *m, int core, int id)
{
    struct column *c = &m->columns[core];
    for (int i = core ? 0 : 1; i < (core ? 1 : CORES); i++)
        join(&c->clock, &m->columns[i].sets[id][c->taken[id]]);
    c->taken[id]++;
    add(c, arena_printf(m->arena, "wait_cross %d", id));
}

static bool cross(struct menu *m, int core)
{
    const char *const pipes[] = {core ? "mte3" : "fix", core ? "mte3" : "fix", "mte2", "s"};
    int id = below(m, FLAGS);
    if (is_up(m, core, id) && below(m, 4)) {
        wait_cross(m, core, id);
        return true;
    }
    if (m->columns[core].set[id] == MOST_SETS - 1)
        return false;
    set_cross(m, core, id, pipes[below(m, 4)]);
    return true;
}

/* No flag is left half set, or up. */
static void settle_cross(struct menu *m)
{
    for (int id = 0; m->lanes && id < FLAGS; id++) {
        while (m->columns[1].set[id] < m->columns[2].set[id])
            set_cross(m, 1, id, "s");
        while (m->columns[2].set[id] < m->columns[1].set[id])
            set_cross(m, 2, id, "s");
        for (int core = 0; core < CORES; core++)
            while (is_up(m, core, id))
                wait_cross(m, core, id);
    }
}

/* ---- tasks ---- */

static void close_flags(struct menu *m, struct column *c)
{
    while (c->flags)
        flag(m, c, __builtin_ctz((unsigned)c->flags));
}

static void begin_task(struct menu *m, int core, struct task_ref after)
{
    struct column *c = &m->columns[core];
    add(c, "nop");
    c->tasks[c->ntasks++].after = after;
    if (after.core >= 0)
        join(&c->clock, &m->columns[after.core].tasks[after.index].end);
}

/* A random task of another core of its rank that has ended. */
static struct task_ref some_end(struct menu *m, int core)
{
    int of = below(m, m->ncores);
    const struct column *c = &m->columns[of];
    bool good = of != core && c->rank == m->columns[core].rank && c->ntasks > 1;
    return good ? (struct task_ref){of, below(m, c->ntasks - 1)} : (struct task_ref){-1, 0};
}

static bool next_task(struct menu *m, int core)
{
    struct column *c = &m->columns[core];
    if (c->ntasks == MOST_TASKS)
        return false;
    close_flags(m, c);
    add(c, "nop");
    ++c->clock.of[core];
    c->tasks[c->ntasks - 1].end = c->clock;
    begin_task(m, core, some_end(m, core));
    return true;
}

/* ---- the test ---- */

static void step(struct menu *m, int core)
{
    for (int tries = 0; tries < 12; tries++)
        switch (below(m, m->lanes ? 12 : m->tasks ? 10 : 9)) {
        case 0:
        case 1:
            order(m, core);
            return;
        case 2:
        case 3:
            if (notify(m, core))
                return;
            break;
        case 4:
            if (wait(m, core))
                return;
            break;
        case 9:
        case 10:
        case 11:
            if (m->lanes ? cross(m, core) : next_task(m, core))
                return;
            break;
        default:
            if (access_word(m, core))
                return;
        }
}

static void print(struct menu *m, struct strbuf *b)
{
    for (int c = 0; c < m->ncores; c++)
        strbuf_addf(b, "%s%s", c ? " | " : "", m->columns[c].name);
    strbuf_add(b, " ;\n");
    for (int row = 0; row < LENGTH; row++) {
        bool any = false;
        for (int c = 0; c < m->ncores; c++)
            any |= row < m->columns[c].count;
        for (int c = 0; any && c < m->ncores; c++)
            strbuf_addf(b, "%s%s", c ? " | " : "",
                        row < m->columns[c].count ? m->columns[c].insns[row] : "");
        strbuf_add(b, any ? " ;\n" : "");
    }
}

/* ---- what no text can say ---- */

/* Waits for a value, some of them in another way that it satisfies. */
static void compare_otherwise(struct menu *m, struct code *code)
{
    static const struct {
        enum cmp cmp;
        int more; /* than the value */
    } ways[] = {{CMP_EQ, 0}, {CMP_NE, 1}, {CMP_NE, -1}, {CMP_LE, 0}, {CMP_LT, 1}};
    for (int i = 0; i < code->count; i++) {
        struct insn *poll = &code->insns[i];
        int way = below(m, 5);
        if ((poll->op != I_POLL && poll->op != I_POLL_DEV) || poll->sub != CMP_EQ)
            continue;
        poll->sub = (uint8_t)ways[way].cmp;
        poll->imm2 += ways[way].more;
    }
}

/* Two nops of a core: the end of a task, and the start of the next one. */
static void give_tasks(struct arena *a, struct core_desc *d, struct code *code,
                       const struct column *c)
{
    struct dispatch *list = arena_array(a, struct dispatch, MOST_TASKS);
    for (int i = 0, nops = 0; i < code->count; i++) {
        if (code->insns[i].op != I_NOP)
            continue;
        code->insns[i].op = nops++ % 2 ? I_END : I_TASK;
        if (code->insns[i].op == I_TASK)
            list[d->ndispatches++].entry = i;
    }
    for (int k = 0; k < d->ndispatches; k++) {
        const struct task_ref *after = &c->tasks[k].after;
        list[k].after = arena_dup(a, after, sizeof *after);
        list[k].nafter = after->core >= 0;
    }
    d->dispatches = list;
}

static void note_awaited(struct program *p, const struct menu *m)
{
    for (int c = 0; c < p->ncores; c++)
        for (int k = 0; k < p->cores[c].ndispatches; k++) {
            struct task_ref after = m->columns[c].tasks[k].after;
            if (after.core >= 0)
                ((struct dispatch *)(uintptr_t)p->cores[after.core].dispatches)[after.index]
                    .awaited = true;
        }
}

static const struct program *program_of(struct menu *m, const struct program *text)
{
    static const char *task = "task";
    struct arena *a = m->arena;
    struct program *p = arena_dup(a, text, sizeof *p);
    p->grain = below(m, 3) ? 4 : 1 + below(m, 2);
    p->cores = arena_dup(a, p->cores, sizeof *p->cores * (size_t)p->ncores);
    for (int c = 0; c < p->ncores; c++) {
        struct code *code = arena_dup(a, p->cores[c].code, sizeof *code);
        code->insns = arena_dup(a, code->insns, sizeof *code->insns * (size_t)code->count);
        compare_otherwise(m, code);
        if (m->tasks)
            give_tasks(a, &p->cores[c], code, &m->columns[c]);
        p->cores[c].code = code;
    }
    if (m->tasks) {
        p->tasks = &task;
        p->ntasks = p->nsteps = 1;
        note_awaited(p, m);
    }
    return p;
}

static const char *some_steps(struct menu *m, const char *const *names, int ranks, uint64_t seed)
{
    enum { ROOM = LENGTH - 8 };
    struct strbuf b = strbuf_make(m->arena);
    int home = below(m, ranks), steps = 8 + below(m, 9); /* most words are of one rank */
    for (int w = 0; w < WORDS + SIGNALS; w++)
        m->words[w].home = below(m, 4) ? home : below(m, ranks);
    for (int c = 0; c < m->ncores; c++) {
        m->columns[c].name = names[c];
        m->columns[c].rank = names[c][1] - '0';
        if (m->tasks)
            begin_task(m, c, (struct task_ref){-1, 0});
    }
    while (steps-- > 0) {
        int core = below(m, m->ncores);
        if (m->columns[core].count < ROOM)
            step(m, core);
    }
    for (int c = 0; c < m->ncores && m->careful; c++)
        publish(m, &m->columns[c]);
    settle_cross(m);
    for (int c = 0; c < m->ncores; c++)
        close_flags(m, &m->columns[c]);
    strbuf_addf(&b, "GM COURSE-%d\n{ %s; ranks = %d }\n", (int)seed, layouts[below(m, 6)], ranks);
    print(m, &b);
    strbuf_add(&b, "exists (a@0=0)\n");
    return b.text;
}

struct random_course random_course(struct arena *a, uint64_t seed,
                                   struct litmus_test *(*parse)(struct arena *a, const char *text))
{
    enum { SHAPES = 9, LANES = 5, TASKS };
    static const char *const names[SHAPES][CORES] = {
        {"P0", "P1"},       {"P0", "P1"},         {"P0", "P0.1"},
        {"P0", "P1", "P2"}, {"P0", "P1", "P1.1"}, {"P0.aic", "P0.aiv0", "P0.aiv1"},
        {"P0", "P0.1"},     {"P0", "P0.1", "P1"}, {"P0", "P1"}};
    static const int ranks[SHAPES] = {2, 2, 1, 3, 2, 1, 1, 2, 2};
    struct menu m = {.arena = a, .rng = rng_make(seed, 94)};
    int shape = below(&m, SHAPES);
    m.lanes = shape == LANES;
    m.tasks = shape >= TASKS;
    m.careful = below(&m, 3);
    m.ncores = names[shape][2] ? 3 : 2;
    struct random_course x = {.text = some_steps(&m, names[shape], ranks[shape], seed)};
    x.test = parse(a, x.text);
    x.program = program_of(&m, x.test->program);
    return x;
}
