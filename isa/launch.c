/* SPDX-License-Identifier: MIT */
#include "isa/launch.h"

/* ---- which core runs what ---- */

struct core_place launch_place(bool cube, bool cluster, int n, int vector)
{
    if (cube)
        return (struct core_place){n, LANE_AIC};
    return cluster ? (struct core_place){n, LANE_AIV0 + vector}
                   : (struct core_place){n / 2, LANE_AIV0 + n % 2};
}

int launch_add_place(struct arena *a, place_list *places, struct core_place at)
{
    for (size_t i = 0; i < places->len; i++)
        if (places->items[i].cluster == at.cluster && places->items[i].lane == at.lane)
            return (int)i;
    vec_push(a, places, at);
    return (int)places->len - 1;
}

void launch_add_cores(struct arena *a, struct program *p, const struct code *c,
                      const place_list *places)
{
    int per_rank = (int)places->len;
    p->ncores = p->nranks * per_rank;
    p->cores = arena_array(a, struct core_desc, (size_t)p->ncores);
    for (int i = 0; i < p->ncores; i++) {
        const struct core_place *at = &places->items[i % per_rank];
        p->cores[i] = (struct core_desc){.rank = i / per_rank,
                                         .index = i % per_rank,
                                         .cluster = at->cluster,
                                         .lane = at->lane,
                                         .code = c};
    }
}

/* ---- parts of launches ---- */

/* A core's part of a launch. */
struct part {
    int task;
    int block, lane;
    int core; /* of its rank */
};
typedef VEC(struct part) part_list;

static void parts_of(const struct launch_set *s, const struct core_launch *l, place_list *places,
                     part_list *out)
{
    for (int i = 0; i < l->nlanes; i++) {
        const struct launch_lane *m = &l->lanes[i];
        bool cluster = m->dual || l->nlanes > 1;
        for (int block = 0; block < l->blocks; block++)
            for (int lane = 0; lane <= (m->dual ? 1 : 0); lane++) {
                struct core_place at = launch_place(m->cube, cluster, l->first_core + block, lane);
                struct part p = {l->task + i, block, lane, launch_add_place(s->arena, places, at)};
                vec_push(s->arena, out, p);
            }
    }
}

void launch_find_places(const struct launch_set *s, place_list *places)
{
    for (int i = 0; i < s->n; i++) {
        part_list unused = {0};
        parts_of(s, &s->items[i], places, &unused);
    }
}

static const int64_t *part_args(const struct launch_set *s, int rank, const struct core_launch *l,
                                const struct part *p)
{
    int64_t *args =
        arena_dup(s->arena, s->values[rank], sizeof *args * (size_t)(s->nargs + LAUNCH_REGISTERS));
    args[s->nargs] = p->block;
    args[s->nargs + 1] = l->blocks;
    args[s->nargs + 2] = p->lane;
    return args;
}

/* ---- dispatches ---- */

struct schedule {
    const struct launch_set *set;
    struct program *p;
    struct dispatch **lists; /* of each core */
    const int *entries;
    part_list *parts;       /* of each launch */
    struct task_ref **refs; /* of each launch on the rank at hand: its parts */
};

/* A launch begins when all parts of those that it waits for have ended. */
static void add_waits(struct schedule *s, const struct core_launch *l, int core, struct dispatch *d)
{
    size_t n = 0;
    for (int i = 0; i < l->nafter; i++)
        n += s->parts[l->after[i]].len;
    struct task_ref *after = arena_array(s->set->arena, struct task_ref, n + 1);
    for (int i = 0; i < l->nafter; i++)
        for (size_t k = 0; k < s->parts[l->after[i]].len; k++) {
            struct task_ref before = s->refs[l->after[i]][k];
            if (before.core == core)
                continue;
            after[d->nafter++] = before;
            s->lists[before.core][before.index].awaited = true;
        }
    d->after = after;
}

static void add_launch(struct schedule *s, int rank, int at, int first)
{
    const struct core_launch *l = &s->set->items[at];
    s->refs[at] = arena_array(s->set->arena, struct task_ref, s->parts[at].len + 1);
    for (size_t i = 0; i < s->parts[at].len; i++) {
        const struct part *p = &s->parts[at].items[i];
        struct core_desc *core = &s->p->cores[first + p->core];
        s->refs[at][i] = (struct task_ref){first + p->core, core->ndispatches};
        struct dispatch *d = &s->lists[first + p->core][core->ndispatches++];
        *d = (struct dispatch){.entry = s->entries[p->task],
                               .nargs = s->set->nargs + LAUNCH_REGISTERS,
                               .args = part_args(s->set, rank, l, p)};
        add_waits(s, l, first + p->core, d);
    }
}

void launch_dispatch(const struct launch_set *set, struct program *p, const int *entries,
                     place_list *places)
{
    struct arena *a = set->arena;
    struct schedule s = {.set = set, .p = p, .entries = entries};
    s.lists = arena_array(a, struct dispatch *, (size_t)p->ncores);
    s.parts = arena_array(a, part_list, (size_t)set->n + 1);
    s.refs = arena_array(a, struct task_ref *, (size_t)set->n + 1);
    for (int c = 0; c < p->ncores; c++) {
        s.lists[c] = arena_array(a, struct dispatch, (size_t)set->n + 1);
        p->cores[c].dispatches = s.lists[c];
    }
    for (int i = 0; i < set->n; i++)
        parts_of(set, &set->items[i], places, &s.parts[i]);
    for (int rank = 0; rank < p->nranks; rank++)
        for (int i = 0; i < set->n; i++)
            add_launch(&s, rank, i, rank * (int)places->len);
}
