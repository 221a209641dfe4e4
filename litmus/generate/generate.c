/* SPDX-License-Identifier: MIT */
#include "litmus/generate/generate.h"

#include <stdint.h>
#include <string.h>
#include <xxhash.h>

#include "litmus/generate/cycle.h"

/* ---- families ---- */

const char *litmus_family_name(int i)
{
    return i < litmus_family_count ? litmus_family_rows[i].name : NULL;
}

int litmus_family_edges(const char *name)
{
    for (int i = 0; i < litmus_family_count; i++)
        if (!strcmp(litmus_family_rows[i].name, name))
            return litmus_family_rows[i].edges;
    return 0;
}

/* ---- choices ---- */

/* One wheel per choice: of an agent for each event (where agents are shared, the first event of the
 * role has the wheel), of the home, and of the placement on all release and on all acquire edges.
 * They turn like those of a mileage counter, the last one fastest. */
enum { WHEEL_HOME = CYCLE_MAX, WHEEL_RELEASE, WHEEL_ACQUIRE, WHEELS };

struct wheels {
    int at[WHEELS], size[WHEELS];
};

static int wheel_of(const struct family *f, int event)
{
    int first = 0;
    while (f->cycle[first].from != f->cycle[event].from)
        first++;
    return f->mixed ? event : first;
}

/* The nth agent of a role, or NULL. */
static const struct agent *agent_of(enum event_role role, int n)
{
    for (int i = 0; i < litmus_agent_count; i++)
        if (litmus_agents[i].role == role && n-- == 0)
            return &litmus_agents[i];
    return NULL;
}

static int agent_count(enum event_role role)
{
    int n = 0;
    while (agent_of(role, n))
        n++;
    return n;
}

static struct wheels make_wheels(const struct family *f)
{
    struct wheels w = {0};
    for (int i = 0; i < WHEELS; i++)
        w.size[i] = 1;
    w.size[WHEEL_HOME] = HOME_COUNT;
    for (int i = 0; i < f->edges; i++) {
        w.size[wheel_of(f, i)] = agent_count(f->cycle[i].from);
        if (f->cycle[i].kind == CYCLE_PO)
            w.size[cycle_side(f, i) == SIDE_RELEASE ? WHEEL_RELEASE : WHEEL_ACQUIRE] =
                litmus_placement_count;
    }
    return w;
}

/* What the choices weigh together; nothing where there is none to make. */
static int weight_of(const struct family *f, const struct wheels *w)
{
    int weight = litmus_homes[w->at[WHEEL_HOME]].weight;
    for (int i = 0; i < f->edges; i++)
        if (wheel_of(f, i) == i)
            weight += agent_of(f->cycle[i].from, w->at[i])->weight;
    if (w->size[WHEEL_RELEASE] > 1)
        weight += litmus_placements[w->at[WHEEL_RELEASE]].weight;
    if (w->size[WHEEL_ACQUIRE] > 1)
        weight += litmus_placements[w->at[WHEEL_ACQUIRE]].weight;
    return weight;
}

/* False when all wheels are back at their start. */
static bool turn(struct wheels *w)
{
    for (int i = WHEELS - 1; i >= 0; i--) {
        if (++w->at[i] < w->size[i])
            return true;
        w->at[i] = 0;
    }
    return false;
}

static struct choice choice_of(const struct family *f, const struct wheels *w)
{
    struct choice c = {.family = f, .home = (enum home)w->at[WHEEL_HOME]};
    for (int i = 0; i < f->edges; i++) {
        c.agents[i] = agent_of(f->cycle[i].from, w->at[wheel_of(f, i)]);
        if (f->cycle[i].kind == CYCLE_PO)
            c.placement[i] =
                &litmus_placements[w->at[cycle_side(f, i) == SIDE_RELEASE ? WHEEL_RELEASE
                                                                          : WHEEL_ACQUIRE]];
    }
    return c;
}

/* ---- which choices make a test ---- */

static bool makes_test(const struct choice *c)
{
    const struct family *f = c->family;
    bool ordered = false, adds = false;
    for (int i = 0; i < f->edges; i++) {
        if (c->placement[i] && !cycle_placement_fits(c, i))
            return false;
        ordered |= f->cycle[i].kind == CYCLE_CO;
        adds |= c->agents[i]->adds;
    }
    return !ordered || !adds;
}

/* ---- up to symmetry ---- */

/* Renaming ranks and locations along the cycle is starting it at another rank: tests are equal when
 * the least of their texts from all starts are. */
static uint64_t identity_of(struct arena *a, const struct choice *c)
{
    const char *least = cycle_body(a, c, 0);
    for (int i = 1; i < c->family->edges; i++) {
        if (c->family->cycle[i - 1].kind == CYCLE_PO)
            continue;
        const char *text = cycle_body(a, c, i);
        if (strcmp(text, least) < 0)
            least = text;
    }
    return XXH3_64bits(least, strlen(least));
}

/* Tests of one family; cycles of two families are never equal. */
static void generate_family(struct arena *a, const struct family *f, struct generated_tests *out)
{
    struct arena scratch = {0};
    VEC(uint64_t) known = {0};
    struct wheels w = make_wheels(f);
    do {
        struct choice c = choice_of(f, &w);
        if (weight_of(f, &w) > f->budget || !makes_test(&c))
            continue;
        uint64_t identity = identity_of(&scratch, &c);
        size_t i = 0;
        while (i < known.len && known.items[i] != identity)
            i++;
        if (i < known.len)
            continue;
        vec_push(&scratch, &known, identity);
        const char *name = cycle_name(a, &c);
        vec_push(a, &out->tests,
                 (struct generated){
                     name, arena_printf(a, "GM %s\n%s", name, cycle_body(&scratch, &c, 0))});
    } while (turn(&w));
    arena_free(&scratch);
}

struct generated_tests litmus_generate(struct arena *a, int max_edges, const char *family)
{
    struct generated_tests out = {0};
    for (int i = 0; i < litmus_family_count; i++) {
        const struct family *f = &litmus_family_rows[i];
        if (f->edges <= max_edges && (!family || !strcmp(family, f->name)))
            generate_family(a, f, &out);
    }
    return out;
}
