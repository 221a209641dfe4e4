/* SPDX-License-Identifier: MIT */
/*
 * Which flag pairs and barriers a function gets (pypto-ops-facts 4.3, 4.4).
 *
 * From each operation the pass searches backwards for operations that it depends on. `known` holds
 * the units (a bit each) whose operations it has been made to wait for by what it met on the way:
 * the latest dependence of a pipe covers all earlier ones, since a pipe works in order. For each
 * loop it searches once more, from the loop's end, for what the turn before has done.
 *
 * The two halves of a pair stand at the two operations, or in front of and behind the ifs and loops
 * that hold only one of them: so they are executed equally often.
 */
#include "isa/auto_sync_internal.h"

enum { FIRST_EVENT = 2, REPEAT_BYTES = 256, SAFE_REPEATS = 16 };

static struct sync_element *element(const struct sync_function *f, int i)
{
    return &f->elements.items[i];
}

static unsigned bit(enum pipe p)
{
    return 1u << p;
}

/* ---- dependences ---- */

/* Between operations of one pipe tiles count as the buffers that the compiler keeps them in. */
static bool same_object(const struct sync_function *f, int x, int y, bool one_pipe)
{
    int tiles = (int)f->b->tiles.len;
    if (x < 0 || y < 0 || !one_pipe || x >= tiles || y >= tiles)
        return x >= 0 && x == y;
    return f->buffer[x] == f->buffer[y];
}

static bool has_read(const struct sync_function *f, const struct sync_element *e, int object,
                     bool one_pipe)
{
    for (int i = 0; i < e->nreads; i++)
        if (same_object(f, e->reads[i], object, one_pipe))
            return true;
    return false;
}

/* Two units that read one accumulator are kept in order, too. */
static bool share_accumulator(const struct sync_function *f, const struct sync_element *x,
                              const struct sync_element *y)
{
    for (int i = 0; i < x->nreads; i++)
        if (x->reads[i] < (int)f->b->tiles.len && f->b->accumulators.items[x->reads[i]] &&
            has_read(f, y, x->reads[i], false))
            return x->unit != y->unit;
    return false;
}

static bool depends(const struct sync_function *f, const struct sync_element *now,
                    const struct sync_element *front, bool carried)
{
    bool one = now->unit == front->unit;
    if (one && (now->unit == PIPE_S || now->copy || front->copy))
        return false;
    if (now->macro >= 0 && now->macro == front->macro && !carried)
        return false;
    return has_read(f, now, front->write, one) || has_read(f, front, now->write, one) ||
           (same_object(f, now->write, front->write, one) && !(now->load && front->load)) ||
           share_accumulator(f, now, front);
}

/* A vector operation that reads all that the one before has written needs no barrier if that was
 * long enough. */
static bool long_vector_chain(const struct sync_function *f, const struct sync_element *now,
                              const struct sync_element *front)
{
    if (now->unit != PIPE_V || front->unit != PIPE_V ||
        same_object(f, now->write, front->write, true) || has_read(f, front, now->write, true) ||
        !has_read(f, now, front->write, true))
        return false;
    const struct tile *t = &f->b->tiles.items[front->write];
    const struct tile_valid *v = &f->b->tile_valid.items[front->write];
    int64_t bytes = v->rows.imm * v->cols.imm * elem_size(t->elem);
    return v->rows.reg == NO_REG && v->cols.reg == NO_REG &&
           (v->cols.imm == t->cols || v->rows.imm == 1) &&
           bytes > REPEAT_BYTES * (SAFE_REPEATS - 1);
}

/* ---- places ---- */

static int common_region(const struct sync_function *f, int x, int y)
{
    while (element(f, x)->region != element(f, y)->region)
        if (element(f, x)->depth >= element(f, y)->depth)
            x = element(f, x)->region;
        else
            y = element(f, y)->region;
    return element(f, x)->region;
}

/* Element i, or what holds it in the region. */
static int lifted(const struct sync_function *f, int i, int region)
{
    while (element(f, i)->region != region)
        i = element(f, element(f, i)->region)->first;
    return i;
}

static void add_sync(struct sync_function *f, struct sync s)
{
    struct arena *a = f->b->arena;
    int index = (int)f->syncs.len;
    s.site = -1;
    vec_push(a, &f->syncs, s);
    vec_push(a, &f->seen, true);
    vec_push(a, &element(f, s.wait)->before, index);
    if (s.kind == SYNC_PAIR)
        vec_push(a, &element(f, s.set)->after, index);
}

/* loop: that carries the dependence, or -1. */
static void order(struct sync_function *f, int now, int front, int loop)
{
    const struct sync_element *n = element(f, now), *e = element(f, front);
    struct sync s = {.from = e->unit, .to = n->unit, .wait = now, .front = front, .now = now};
    if (e->unit == n->unit) {
        s.kind = SYNC_BARRIER;
    } else {
        int region = loop >= 0 ? loop : common_region(f, front, now);
        s.set = lifted(f, front, region);
        s.wait = lifted(f, now, region);
        if (element(f, s.set)->kind != SYNC_NODE)
            s.set = element(f, s.set)->last;
        s.carried = loop >= 0;
    }
    add_sync(f, s);
}

/* ---- the search ---- */

/* What the syncs at one place say about units that the unit waits for. */
static unsigned learn(struct sync_function *f, const sync_list *at, bool behind, enum pipe unit,
                      unsigned known)
{
    vec_foreach (const int, index, at) {
        const struct sync *s = &f->syncs.items[*index];
        if (s->kind == SYNC_BARRIER && s->to == unit)
            known |= bit(unit);
        if (s->kind != SYNC_PAIR || !(s->to == unit || (known & bit(s->to))))
            continue;
        if (!behind)
            f->seen.items[*index] = true;
        else if (f->seen.items[*index])
            known |= bit(s->from);
    }
    return known;
}

struct pair_search {
    int now, loop; /* loop: whose turn before is searched, or -1 */
    bool add;
};

static unsigned search_node(struct sync_function *f, const struct pair_search *s, int i,
                            unsigned known)
{
    const struct sync_element *now = element(f, s->now), *e = element(f, i);
    if ((known & bit(e->unit)) || !s->add || (s->loop >= 0 && i < s->now) ||
        !depends(f, now, e, s->loop >= 0) || (s->loop < 0 && long_vector_chain(f, now, e)))
        return known;
    order(f, s->now, i, s->loop);
    return known | bit(e->unit);
}

static unsigned search(struct sync_function *f, const struct pair_search *s, int low, int high,
                       unsigned known);

/* The if or loop that ends at `end`, from low on. */
static unsigned search_inside(struct sync_function *f, const struct pair_search *s, int low,
                              int end, unsigned known)
{
    int first = element(f, end)->first, middle = element(f, end)->middle;
    if (element(f, end)->kind == SYNC_LOOP_END) { /* it may have made no turn */
        search(f, s, low > first ? low : first + 1, end - 1, known);
        return known;
    }
    unsigned then = search(f, s, first + 1, middle - 1, known);
    return then & (middle == end ? known : search(f, s, middle + 1, end - 1, known));
}

/* Elements high to low, backwards. Returns what is known in front of low. */
static unsigned search(struct sync_function *f, const struct pair_search *s, int low, int high,
                       unsigned known)
{
    enum pipe unit = element(f, s->now)->unit;
    for (int i = high; i >= low; i--) {
        const struct sync_element *e = element(f, i);
        known = learn(f, &e->after, true, unit, known);
        if (e->kind == SYNC_NODE) {
            known = search_node(f, s, i, known);
        } else if (e->kind == SYNC_LOOP_END || e->kind == SYNC_IF_END) {
            known |= search_inside(f, s, low, i, known);
            known = learn(f, &element(f, i)->after, true, unit, known); /* that was added */
            i = element(f, i)->first;
        } else if (e->kind == SYNC_ELSE) { /* the other branch is no way to here */
            i = e->first;
        }
        known = learn(f, &element(f, i)->before, false, unit, known);
    }
    return known;
}

static unsigned start_search(struct sync_function *f, int now)
{
    vec_foreach (bool, seen, &f->seen)
        *seen = false;
    return learn(f, &element(f, now)->before, false, element(f, now)->unit, 0);
}

static void search_turn_before(struct sync_function *f, int loop_end)
{
    int first = element(f, loop_end)->first;
    for (int now = first + 1; now < loop_end; now++) {
        if (element(f, now)->kind != SYNC_NODE)
            continue;
        unsigned known = start_search(f, now);
        struct pair_search s = {.now = now, .loop = first};
        known = search(f, &s, first + 1, now - 1, known);
        s.add = true;
        search(f, &s, now, loop_end - 1, known);
    }
}

/* ---- functions that leave a loop early ---- */

static bool may_precede(const struct sync_function *f, int front, int now)
{
    if (front < now)
        return true;
    for (int r = common_region(f, front, now); r >= 0; r = element(f, r)->region)
        if (element(f, r)->kind == SYNC_LOOP)
            return true;
    return false;
}

/* The assembler sees no such function: the compiler turns break and continue into conditions
 * (pypto-front-facts 3). Here each operation has both halves of its pairs in front of it, which
 * holds on every path. */
static void order_adjacent(struct sync_function *f, int now)
{
    unsigned ordered = 0;
    for (int i = 0; i < (int)f->elements.len; i++) {
        const struct sync_element *e = element(f, i), *n = element(f, now);
        if (e->kind != SYNC_NODE || (ordered & bit(e->unit)) || !may_precede(f, i, now) ||
            !depends(f, n, e, i >= now))
            continue;
        ordered |= bit(e->unit);
        struct sync s = {.kind = e->unit == n->unit ? SYNC_BARRIER : SYNC_ADJACENT,
                         .from = e->unit,
                         .to = n->unit,
                         .wait = now,
                         .front = i,
                         .now = now,
                         .id = FIRST_EVENT};
        add_sync(f, s);
    }
}

/* ---- events ---- */

static bool alive_together(const struct sync *x, const struct sync *y)
{
    return x->carried || y->carried || (x->set < y->wait && y->set < x->wait);
}

/* The lowest event of the two pipes that no pair alive at the same time has; those below
 * FIRST_EVENT are the library macros'. Without one the wait becomes a barrier of all pipes. */
static void choose_event(const struct sync_function *f, struct sync *s)
{
    unsigned taken = 0;
    for (const struct sync *o = f->syncs.items; o < s; o++)
        if (o->kind == SYNC_PAIR && o->from == s->from && o->to == s->to && alive_together(o, s))
            taken |= 1u << o->id;
    for (s->id = FIRST_EVENT; s->id < MAX_FLAG_IDS; s->id++)
        if (!(taken >> s->id & 1))
            return;
    *s = (struct sync){.kind = SYNC_BARRIER,
                       .from = PIPE_ALL,
                       .to = PIPE_ALL,
                       .wait = s->wait,
                       .front = s->front,
                       .now = s->now,
                       .site = -1};
}

void sync_pairs_find(struct sync_function *f)
{
    for (int i = 0; i < (int)f->elements.len; i++) {
        if (f->irregular && element(f, i)->kind == SYNC_NODE)
            order_adjacent(f, i);
        if (f->irregular)
            continue;
        if (element(f, i)->kind == SYNC_LOOP_END)
            search_turn_before(f, i);
        if (element(f, i)->kind == SYNC_NODE) {
            struct pair_search s = {.now = i, .loop = -1, .add = true};
            search(f, &s, 0, i - 1, start_search(f, i));
        }
    }
    vec_foreach (struct sync, s, &f->syncs)
        if (s->kind == SYNC_PAIR)
            choose_event(f, s);
}
