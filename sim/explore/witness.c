/* SPDX-License-Identifier: MIT */
#include "sim/explore/witness.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/stop.h"
#include "sim/course.h"
#include "sim/oracle.h"
#include "sim/explore/pack.h"
#include "sim/explore/persistent.h"

enum { MAX_STEPS = 1024, NO_PARENT = UINT32_MAX };

struct node_state {
    XXH128_hash_t hash;
    size_t start, len; /* of the packed state */
    uint32_t parent;
    struct transition step; /* from the parent */
};

struct bfs {
    const struct witness_options *o;
    struct machine *m;
    struct packer *packer;
    bool cut; /* a state has more steps than there is room for */
    uint8_t *bytes;
    size_t used, room;
    struct node_state *states;
    uint32_t count, cap;
    uint32_t *open; /* depth first: those that are still to be expanded, in the room of `states` */
    uint32_t nopen, expanded;
    uint32_t *table; /* open addressing: index + 1 */
    uint32_t mask;
};

static void *grown(void *p, size_t size)
{
    p = realloc(p, size);
    if (!p)
        abort();
    return p;
}

static uint32_t *place_of_hash(struct bfs *b, XXH128_hash_t hash)
{
    uint32_t at = (uint32_t)hash.low64 & b->mask;
    while (b->table[at] && !XXH128_isEqual(b->states[b->table[at] - 1].hash, hash))
        at = (at + 1) & b->mask;
    return &b->table[at];
}

static void grow_table(struct bfs *b)
{
    free(b->table);
    b->mask = b->mask * 2 + 1;
    b->table = calloc((size_t)b->mask + 1, sizeof *b->table);
    if (!b->table)
        abort();
    for (uint32_t i = 0; i < b->count; i++)
        *place_of_hash(b, b->states[i].hash) = i + 1;
}

/* Adds the machine's state when it is new. */
static void add_state(struct bfs *b, uint32_t parent, struct transition step)
{
    const struct pack_buffer *state = pack_store(b->packer, b->m);
    XXH128_hash_t hash = XXH3_128bits(state->data, state->len);
    uint32_t *place = place_of_hash(b, hash);
    if (*place)
        return;
    if (b->count == b->cap) {
        b->states = grown(b->states, sizeof *b->states * (b->cap = b->cap ? b->cap * 2 : 1024));
        b->open = grown(b->open, sizeof *b->open * b->cap);
    }
    b->open[b->nopen++] = b->count;
    if (b->used + state->len > b->room)
        b->bytes = grown(b->bytes, b->room = (b->used + state->len) * 2);
    memcpy(b->bytes + b->used, state->data, state->len);
    b->states[b->count] = (struct node_state){hash, b->used, state->len, parent, step};
    b->used += state->len;
    *place = ++b->count;
    if (b->count * 2 > b->mask)
        grow_table(b);
}

static int steps_of(struct bfs *b, struct transition *t)
{
    if (b->o->reduction && persistent_step(b->m, t))
        return 1;
    int n = machine_enabled(b->m, t, MAX_STEPS);
    b->cut |= n == MAX_STEPS;
    return n;
}

/* Expands state i; true when the last step of the run is found: *last, or none when the state
 * itself is final. */
static bool expand(struct bfs *b, uint32_t i, struct transition *last, bool *has_last)
{
    struct transition t[MAX_STEPS];
    pack_load(b->packer, b->m, b->bytes + b->states[i].start);
    int n = steps_of(b, t);
    *has_last = false;
    if (machine_final(b->m, t, n)) {
        bool ended = machine_at_end(b->m);
        if (b->m->oracle)
            oracle_finish(b->m->oracle, b->m);
        if (b->o->wanted(b->o->ctx, b->m, true, !ended))
            return true;
        if (b->m->oracle)
            oracle_forget_findings(b->m->oracle);
    }
    *has_last = true;
    for (int s = 0; s < n; s++) {
        pack_back(b->packer, b->m);
        machine_fire(b->m, t[s]);
        pack_step(b->packer, b->m, t[s]);
        *last = t[s];
        if (b->m->oracle && oracle_strayed(b->m->oracle)) { /* no more is known */
            b->cut = true;
            return false;
        }
        if (b->o->wanted(b->o->ctx, b->m, false, false))
            return true;
        if (!b->m->stop)
            add_state(b, i, t[s]);
    }
    return false;
}

static int trace_back(const struct bfs *b, uint32_t i, const struct transition *last,
                      struct arena *a, struct transition **run)
{
    int n = last ? 1 : 0;
    for (uint32_t k = i; b->states[k].parent != NO_PARENT; k = b->states[k].parent)
        n++;
    *run = arena_array(a, struct transition, (size_t)n + 1);
    int at = n;
    if (last)
        (*run)[--at] = *last;
    for (uint32_t k = i; b->states[k].parent != NO_PARENT; k = b->states[k].parent)
        (*run)[--at] = b->states[k].step;
    return n;
}

/* Which slot of a cache holds a line depends on the way there: in the run, an eviction names the
 * one of the whole run, not that of the packed state. */
static void name_slots(const struct bfs *b, uint32_t state, bool has_last, struct transition *run,
                       int n)
{
    const struct program *p = b->m->program;
    struct machine *m =
        machine_new(p, b->m->contract, (struct machine_options){.kernel = b->o->oracle});
    struct arena scratch = {0};
    uint32_t *path = arena_array(&scratch, uint32_t, (size_t)n + 1);
    for (int at = has_last ? n - 1 : n; at >= 0; state = b->states[state].parent)
        path[at--] = state;
    machine_reset(m);
    for (int i = 0; i < n; i++) {
        struct transition *t = &run[i];
        if (t->kind == T_EVICT) {
            pack_load(b->packer, b->m, b->bytes + b->states[path[i]].start);
            t->index = cache_find(m, t->core, b->m->cores[t->core].cache.lines[t->index].tag);
        }
        machine_fire(m, *t);
    }
    arena_free(&scratch);
    machine_free(m);
}

/* The state to be expanded next; false when there is none. */
static bool next_state(struct bfs *b, uint32_t *i)
{
    if (b->expanded == b->count)
        return false;
    *i = b->o->depth_first ? b->open[--b->nopen] : b->expanded;
    b->expanded++;
    return true;
}

static bool limit_hit(const struct bfs *b)
{
    return b->cut || (b->o->max_states && b->count > b->o->max_states) || b->used > WITNESS_BYTES ||
           stop_wanted();
}

static int search(const struct program *p, const struct contract *k,
                  const struct witness_options *o, struct oracle *oracle, struct arena *a,
                  struct transition **run)
{
    struct bfs b = {.o = o, .mask = 4095};
    b.m = machine_new(p, k, (struct machine_options){.oracle = oracle, .kernel = oracle != NULL});
    b.table = calloc((size_t)b.mask + 1, sizeof *b.table);
    if (!b.table)
        abort();
    machine_reset(b.m);
    b.packer = packer_new(b.m);
    add_state(&b, NO_PARENT, (struct transition){0});
    int result = WITNESS_NONE;
    for (uint32_t i; result == WITNESS_NONE && next_state(&b, &i);) {
        struct transition last;
        bool has_last;
        if (expand(&b, i, &last, &has_last)) {
            result = trace_back(&b, i, has_last ? &last : NULL, a, run);
            name_slots(&b, i, has_last, *run, result);
        } else if (limit_hit(&b))
            result = WITNESS_UNKNOWN;
    }
    packer_free(b.packer);
    machine_free(b.m);
    free(b.bytes);
    free(b.states);
    free(b.open);
    free(b.table);
    return result;
}

int witness_search(const struct program *p, const struct contract *k,
                   const struct witness_options *o, struct arena *a, struct transition **run)
{
    const char *why;
    struct course *course = o->oracle ? course_find(p, k, 0, &why) : NULL;
    struct oracle *oracle = course      ? course_oracle(course, false)
                            : o->oracle ? oracle_new(p)
                                        : NULL;
    int result = search(p, k, o, oracle, a, run);
    if (course && oracle_strayed(oracle)) {
        oracle_free(oracle);
        oracle = oracle_new(p);
        result = search(p, k, o, oracle, a, run);
    }
    oracle_free(oracle);
    course_free(course);
    return result;
}
