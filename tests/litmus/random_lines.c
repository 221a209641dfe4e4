/* SPDX-License-Identifier: MIT */
#include "tests/litmus/random_lines.h"

#include <stdbool.h>

#include "base/rng.h"
#include "base/strbuf.h"

enum { CORES = 2, LENGTH = 14 };

/* A word's line is shared with others or not. */
static const char *const layouts[] = {
    "line a, b, c; d; s; u", "line a, b, c; line d, s; u",      "line a, b, c, d; s; u",
    "line a, b, c, d, s; u", "line a, b; line c, d; line s, u", "line a, b, c; d; line s, u"};
static const char *const words[] = {"a", "b", "c", "d"};

struct column {
    const char *insns[LENGTH];
    int count, regs, tiles;
};

struct menu {
    struct arena *arena;
    struct rng rng;
    int value, ranks, home;
    struct column columns[CORES];
};

static int below(struct menu *m, int n)
{
    return (int)rng_below(&m->rng, (uint64_t)n);
}

static void add(struct menu *m, int core, const char *insn)
{
    struct column *c = &m->columns[core];
    if (c->count < LENGTH)
        c->insns[c->count++] = insn;
}

static const char *word(struct menu *m, int w)
{
    return arena_printf(m->arena, "%s@%d", words[w], m->home);
}

/* The owners of a and b change between the stretches; c is added to by both; d is the second
 * core's. */
static int owned(struct menu *m, int core, int stretch)
{
    bool alone = below(m, 4) == 0;
    return alone && core ? 3 : (core + stretch) % 2;
}

static void step(struct menu *m, int core, int stretch)
{
    struct column *c = &m->columns[core];
    const char *at = word(m, owned(m, core, stretch));
    switch (below(m, 14)) {
    case 0:
    case 1:
    case 2:
    case 3:
        add(m, core, arena_printf(m->arena, "st %s, %d", at, ++m->value));
        break;
    case 4:
        add(m, core, arena_printf(m->arena, "st.dev %s, %d", at, ++m->value));
        break;
    case 5:
    case 6:
        add(m, core, arena_printf(m->arena, "st.atomic %s, %d", word(m, 2), ++m->value));
        break;
    case 7:
    case 8:
        add(m, core, arena_printf(m->arena, "ld r%d, %s", c->regs++, at));
        break;
    case 9:
        add(m, core,
            arena_printf(m->arena, below(m, 2) ? "mte3 %s, %d" : "mte3.add %s, %d", at,
                         ++m->value));
        break;
    case 10:
        add(m, core, arena_printf(m->arena, "mte2 t%d, %s", c->tiles++, at));
        break;
    case 11:
        add(m, core, "dsb");
        break;
    case 12:
        add(m, core, arena_printf(m->arena, "dcci %s", word(m, below(m, 4))));
        break;
    default:
        add(m, core, below(m, 3) ? arena_printf(m->arena, "dcci %s", at) : "dcci all");
    }
}

static void print(struct menu *m, struct strbuf *b)
{
    strbuf_add(b, m->ranks == 2 ? "P0 | P1 ;\n" : "P0 | P0.1 ;\n");
    for (int row = 0; row < LENGTH; row++) {
        const struct column *x = &m->columns[0], *y = &m->columns[1];
        if (row < x->count || row < y->count)
            strbuf_addf(b, "%s | %s ;\n", row < x->count ? x->insns[row] : "",
                        row < y->count ? y->insns[row] : "");
    }
}

/* Between the stretches the sender tells the other core, or both tell each other. */
static void meet(struct menu *m, int sender, int to, bool both)
{
    for (int core = 0; core < CORES; core++)
        for (int k = core == sender || both ? below(m, 3) : 0; k > 0; k--)
            add(m, core, k == 2 ? arena_printf(m->arena, "dcci %s", word(m, below(m, 3))) : "dsb");
    for (int core = 0; core < CORES; core++)
        if (core == sender || both)
            add(m, core,
                arena_printf(m->arena, "notify.%s %s@%d, 1", below(m, 3) ? "add" : "set",
                             core == sender ? "s" : "u", to));
    for (int core = 0; core < CORES; core++) {
        if (core != sender || both)
            add(m, core, arena_printf(m->arena, "wait %s@%d >= 1", core == sender ? "u" : "s", to));
        if (below(m, 2))
            add(m, core, arena_printf(m->arena, "dcci %s", word(m, below(m, 3))));
    }
}

static void some_steps(struct menu *m, int stretch)
{
    for (int core = 0; core < CORES; core++)
        for (int n = below(m, 4); n > 0; n--)
            step(m, core, stretch);
}

const char *random_lines(struct arena *a, uint64_t seed)
{
    struct menu m = {.arena = a, .rng = rng_make(seed, 93)};
    struct strbuf b = strbuf_make(a);
    m.ranks = 1 + below(&m, 2);
    m.home = below(&m, m.ranks);
    int sender = below(&m, 2), to = below(&m, m.ranks);
    bool both = below(&m, 3) == 0;
    some_steps(&m, 0);
    meet(&m, sender, to, both);
    some_steps(&m, 1);
    const char *layout = layouts[below(&m, sizeof layouts / sizeof *layouts)];
    strbuf_addf(&b, "GM LINES-%d\n{ %s; ranks = %d }\n", (int)seed, layout, m.ranks);
    print(&m, &b);
    strbuf_addf(&b, "exists (a@%d=0)\n", m.home);
    return b.text;
}
