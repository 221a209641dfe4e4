/* SPDX-License-Identifier: MIT */
#include "tests/litmus/random_litmus.h"

#include <stdbool.h>
#include <string.h>

#include "base/rng.h"
#include "base/strbuf.h"

enum { CORES = 3, LENGTH = 6 };

struct menu {
    struct arena *arena;
    struct rng rng;
    int value; /* stored last: values are told apart */
    int reg, tile;
    bool lane, cube; /* of the column: a lane of a cluster, the cube core */
};

static int below(struct menu *m, int n)
{
    return (int)rng_below(&m->rng, (uint64_t)n);
}

/* Each is drawn alike. A word's line is shared with others or not, and it is a signal or not. */
static const char *const layouts[] = {"x; y; s", "line x, y; s", "line x, s; y", "line x, y, s"};
static const char *const words[] = {"x", "x", "y", "y", "s"};
static const char *const pipes[] = {"all", "all", "all", "mte2", "mte3", "fix", "v"};

static const char *some_word(struct menu *m)
{
    return arena_printf(m->arena, "%s@%d", words[below(m, 5)], below(m, 2));
}

static const char *some_value(struct menu *m)
{
    if (m->reg && below(m, 6) == 0)
        return arena_printf(m->arena, "r%d", below(m, m->reg));
    return arena_printf(m->arena, "%d", ++m->value);
}

static const char *some_content(struct menu *m)
{
    if (m->tile && below(m, 3) == 0)
        return arena_printf(m->arena, "t%d", below(m, m->tile));
    return some_value(m);
}

static const char *scalar(struct menu *m)
{
    static const char *const loads[] = {"ld", "ld", "ld", "ld.dev"};
    static const char *const stores[] = {"st", "st", "st", "st.dev", "st.atomic"};
    if (below(m, 5) < 2)
        return arena_printf(m->arena, "%s r%d, %s", loads[below(m, 4)], m->reg++, some_word(m));
    return arena_printf(m->arena, "%s %s, %s", stores[below(m, 5)], some_word(m), some_value(m));
}

static const char *dma(struct menu *m)
{
    static const char *const stores[] = {"mte3", "mte3", "mte3", "mte3.add", "fix", "fix.add"};
    if (below(m, 3) == 0)
        return arena_printf(m->arena, "mte2 t%d, %s", m->tile++, some_word(m));
    /* A vector core stores by MTE3, a cube core by FIX. */
    int store = m->lane ? (m->cube ? 4 : 2) + below(m, 2) : below(m, 6);
    return arena_printf(m->arena, "%s %s, %s", stores[store], some_word(m), some_content(m));
}

static const char *cross(struct menu *m)
{
    const char *const from[] = {m->cube ? "fix" : "mte3", m->cube ? "fix" : "mte3", "mte2", "s"};
    switch (below(m, 8)) {
    case 0:
        return m->cube ? "syncall aic_only" : "syncall aiv_only";
    case 1:
        return below(m, 2) ? "wait.dev s >= 1" : below(m, 2) ? "set_atomic add" : "set_atomic none";
    case 2:
    case 3:
        return arena_printf(m->arena, "wait_cross %d", below(m, 2));
    default:
        return arena_printf(m->arena, "set_cross %s, %d, %d", from[below(m, 4)],
                            below(m, 4) ? 2 : below(m, 2), below(m, 2));
    }
}

static const char *order(struct menu *m)
{
    switch (below(m, 8)) {
    case 0:
    case 1:
        return "dsb";
    case 2:
        return arena_printf(m->arena, "barrier %s", pipes[below(m, 7)]);
    case 3:
        return "dcci all";
    case 4:
        return arena_printf(m->arena, "%s mte2, mte3, 0", below(m, 2) ? "set_flag" : "wait_flag");
    case 5:
        return "barrier all";
    default:
        return arena_printf(m->arena, "dcci %s", some_word(m));
    }
}

static const char *macro(struct menu *m)
{
    switch (below(m, 6)) {
    case 0:
    case 1:
        return arena_printf(m->arena, "notify.%s s@%d, 1", below(m, 3) ? "add" : "set",
                            below(m, 2));
    case 2:
        if (!m->lane)
            return arena_printf(m->arena, "%s %s, %s", below(m, 2) ? "tput" : "tget", some_word(m),
                                some_word(m));
        return "syncall.soft s, 2";
    default:
        return arena_printf(m->arena, "wait s >= %d", 1 + below(m, 2));
    }
}

static const char *some_instruction(struct menu *m)
{
    static const char *(*const kinds[])(struct menu * m) = {scalar, scalar, scalar, scalar, dma,
                                                            dma,    order,  order,  order,  macro};
    if (m->lane && below(m, 5) < 2)
        return cross(m);
    return kinds[below(m, 10)](m);
}

struct column {
    const char *name;
    const char *insns[LENGTH];
    int count, regs, tiles;
};

static void fill(struct menu *m, struct column *c, const char *name, int count)
{
    *c = (struct column){.name = name, .count = count};
    m->reg = m->tile = 0;
    m->lane = strstr(name, ".a") != NULL;
    m->cube = strstr(name, ".aic") != NULL;
    for (int i = 0; i < count; i++)
        c->insns[i] = some_instruction(m);
    c->regs = m->reg;
    c->tiles = m->tile;
}

static void print_table(struct strbuf *b, const struct column *c, int n)
{
    for (int i = 0; i < n; i++)
        strbuf_addf(b, "%s%s", i ? " | " : "", c[i].name);
    strbuf_add(b, " ;\n");
    for (int row = 0; row < LENGTH; row++) {
        bool any = false;
        for (int i = 0; i < n; i++)
            any |= row < c[i].count;
        for (int i = 0; any && i < n; i++)
            strbuf_addf(b, "%s%s", i ? " | " : "", row < c[i].count ? c[i].insns[row] : "");
        strbuf_add(b, any ? " ;\n" : "");
    }
}

static void print_condition(struct strbuf *b, const struct column *c, int n)
{
    strbuf_add(b, "exists (x@0=0 /\\ x@1=0 /\\ y@0=0 /\\ y@1=0 /\\ s@0=0 /\\ s@1=0");
    for (int i = 0; i < n; i++) {
        for (int r = 0; r < c[i].regs; r++)
            strbuf_addf(b, " /\\ %s:r%d=0", c[i].name + 1, r);
        for (int t = 0; t < c[i].tiles; t++)
            strbuf_addf(b, " /\\ %s:t%d=0", c[i].name + 1, t);
    }
    strbuf_add(b, ")\n");
}

const char *random_litmus(struct arena *a, uint64_t seed)
{
    static const char *const names[][CORES] = {
        {"P0", "P1"},          {"P0", "P1"},          {"P0", "P0.1"},
        {"P0", "P1", "P1.1"},  {"P0.aic", "P0.aiv0"}, {"P0.aic", "P0.aiv0", "P0.aiv1"},
        {"P0.aiv0", "P0.aiv1"}};
    struct menu m = {.arena = a, .rng = rng_make(seed, 78)};
    struct column columns[CORES];
    int shape = below(&m, 7), cores = names[shape][2] ? 3 : 2;
    for (int c = 0; c < cores; c++)
        fill(&m, &columns[c], names[shape][c], cores == 3 ? 2 + below(&m, 2) : 3 + below(&m, 3));
    struct strbuf b = strbuf_make(a);
    strbuf_addf(&b, "GM RND-%d\n{ %s; ranks = 2 }\n", (int)seed, layouts[below(&m, 4)]);
    print_table(&b, columns, cores);
    print_condition(&b, columns, cores);
    return b.text;
}
