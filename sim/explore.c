/* SPDX-License-Identifier: MIT */
#include "sim/explore.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <urcu.h>
#include <urcu/rculfhash.h>
#include <xxhash.h>

#include "sim/oracle.h"
#include "sim/pack.h"
#include "sim/reduce.h"

enum {
    MAX_STEPS = 1024,
    CHUNK_NODES = 4096,
    SET_BUCKETS = 1 << 16,
    RECENT = 1 << 15,
    SHARE_EVERY = 256,
    PROGRESS_STATES = 1 << 16
};

/* ---- the visited set ---- */

struct seen {
    struct cds_lfht_node node;
    XXH128_hash_t hash;
};

/* Nodes are never removed: workers allocate them in chunks. */
struct seen_pool {
    struct arena arena;
    struct seen *chunk;
    int used;
    uint64_t bytes;
};

static struct seen *seen_take(struct seen_pool *p)
{
    if (!p->chunk || p->used == CHUNK_NODES) {
        p->chunk = arena_array(&p->arena, struct seen, CHUNK_NODES);
        p->used = 0;
        p->bytes += sizeof *p->chunk * CHUNK_NODES;
    }
    return &p->chunk[p->used++];
}

static int same_hash(struct cds_lfht_node *node, const void *key)
{
    const struct seen *s = caa_container_of(node, struct seen, node);
    return XXH128_isEqual(s->hash, *(const XXH128_hash_t *)key);
}

/* ---- stacks of packed states ---- */

struct stack {
    uint8_t *data; /* states, back to back */
    size_t len, cap;
    size_t *starts; /* offset of each */
    size_t count, starts_cap;
};

static void stack_push(struct stack *s, const uint8_t *state, size_t n)
{
    if (s->len + n > s->cap) {
        s->cap = (s->len + n) * 2;
        s->data = realloc(s->data, s->cap);
    }
    if (s->count == s->starts_cap) {
        s->starts_cap = s->starts_cap ? s->starts_cap * 2 : 1024;
        s->starts = realloc(s->starts, sizeof *s->starts * s->starts_cap);
    }
    if (!s->data || !s->starts)
        abort();
    memcpy(s->data + s->len, state, n);
    s->starts[s->count++] = s->len;
    s->len += n;
}

/* The newest state, copied into b. */
static bool stack_pop(struct stack *s, struct pack_buffer *b)
{
    if (!s->count)
        return false;
    size_t at = s->starts[--s->count];
    b->len = 0;
    pack_bytes(b, s->data + at, s->len - at);
    s->len = at;
    return true;
}

static void stack_free(struct stack *s)
{
    free(s->data);
    free(s->starts);
}

/* ---- workers ---- */

struct search {
    const struct program *program;
    const struct contract *contract;
    const struct explore_options *o;
    struct cds_lfht *seen;
    pthread_mutex_t lock; /* of pool and on_final */
    pthread_cond_t wake;
    struct stack pool; /* states given away for idle workers */
    int idle, workers; /* under the lock */
    int planned;       /* workers asked for */
    bool done;
    atomic_bool stop;
    atomic_uint_fast64_t states, memory;
    atomic_int hungry; /* idle workers, read without the lock */
    double start;
    struct explore_result *result;
};

struct worker {
    struct search *s;
    struct machine *m;
    struct packer *packer;
    struct stack stack;
    struct seen_pool pool;
    struct pack_buffer state, next;
    uint64_t states, transitions, finals, deadlocks, max_stack;
    uint64_t reported; /* states already added to the shared count */
    uint64_t shown;    /* progress already reported */
    bool first;        /* the worker that reports it */
    /* Hashes of states that are in the set: most steps lead to a state seen not long ago, and this
     * table stays in the processor's cache. */
    XXH128_hash_t recent[RECENT];
};

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* True when the state is new. */
static bool visit(struct worker *w, const struct pack_buffer *b)
{
    XXH128_hash_t hash = XXH3_128bits(b->data, b->len);
    XXH128_hash_t *recent = &w->recent[hash.low64 % RECENT];
    if (XXH128_isEqual(*recent, hash))
        return false;
    *recent = hash;
    struct seen *fresh = seen_take(&w->pool);
    fresh->hash = hash;
    cds_lfht_node_init(&fresh->node);
    rcu_read_lock();
    struct cds_lfht_node *got =
        cds_lfht_add_unique(w->s->seen, fresh->hash.low64, same_hash, &fresh->hash, &fresh->node);
    rcu_read_unlock();
    if (got != &fresh->node) {
        w->pool.used--; /* the node is free again */
        return false;
    }
    w->states++;
    return true;
}

static bool spontaneous(struct transition t)
{
    return t.kind == T_EVICT || t.kind == T_PREFETCH;
}

static bool evicts_dirty(const struct machine *m, struct transition t)
{
    if (t.kind != T_EVICT)
        return false;
    const struct cache_line *l = &m->cores[t.core].cache.lines[t.index];
    return l->dirty || l->delta;
}

/* Reports what the last step, or the end of the run, made the oracle find. */
static bool found(struct worker *w)
{
    int n = 0;
    if (w->m->oracle)
        oracle_findings(w->m->oracle, &n);
    if (n == 0)
        return false;
    pthread_mutex_lock(&w->s->lock);
    w->s->o->on_finding(w->s->o->ctx, w->m);
    pthread_mutex_unlock(&w->s->lock);
    return true;
}

static void report_final(struct worker *w, bool deadlock)
{
    if (w->m->oracle) {
        oracle_finish(w->m->oracle, w->m);
        found(w);
    }
    w->finals++;
    w->deadlocks += deadlock;
    if (!w->s->o->on_final)
        return;
    pthread_mutex_lock(&w->s->lock);
    w->s->o->on_final(w->s->o->ctx, w->m, deadlock);
    pthread_mutex_unlock(&w->s->lock);
}

/* Steps to explore from the machine's state. */
static int choose_steps(struct worker *w, struct transition *t)
{
    if (w->s->o->reduction && reduce_step(w->m, t))
        return 1;
    int n = machine_enabled(w->m, t, MAX_STEPS);
    bool progress = false, writes_back = false;
    for (int i = 0; i < n; i++) {
        progress |= !spontaneous(t[i]);
        writes_back |= evicts_dirty(w->m, t[i]);
    }
    /* A line that may yet be written back can wake a core that waits for it. */
    bool ended = machine_at_end(w->m);
    if (!progress && (ended || !writes_back))
        report_final(w, !ended);
    return n;
}

static void expand(struct worker *w)
{
    struct transition steps[MAX_STEPS];
    pack_load(w->packer, w->m, w->state.data);
    int n = choose_steps(w, steps);
    for (int i = 0; i < n; i++) {
        if (i > 0)
            pack_reload(w->packer, w->m, w->state.data, steps[i - 1]);
        machine_fire(w->m, steps[i]);
        w->transitions++;
        if (found(w))
            continue;
        pack_store_after(w->packer, w->m, w->state.data, steps[i], &w->next);
        if (visit(w, &w->next))
            stack_push(&w->stack, w->next.data, w->next.len);
    }
    if (w->stack.count > w->max_stack)
        w->max_stack = w->stack.count;
}

/* Limits, progress, and states for those who have none. */
static void housekeeping(struct worker *w)
{
    struct search *s = w->s;
    uint64_t states =
        atomic_fetch_add(&s->states, w->states - w->reported) + (w->states - w->reported);
    w->reported = w->states;
    uint64_t memory = states * (sizeof(struct seen) + sizeof(void *)) +
                      (uint64_t)s->planned * (sizeof *w + w->stack.cap);
    if (memory > atomic_load(&s->memory))
        atomic_store(&s->memory, memory);
    if ((s->o->max_states && states > s->o->max_states) ||
        (s->o->max_memory && memory > s->o->max_memory))
        atomic_store(&s->stop, true);
    if (s->o->on_progress && w->first && w->states / PROGRESS_STATES != w->shown) {
        w->shown = w->states / PROGRESS_STATES;
        s->o->on_progress(s->o->ctx, states, w->stack.count, seconds_now() - s->start);
    }
    if (atomic_load(&s->hungry) == 0 || w->stack.count < 2)
        return;
    pthread_mutex_lock(&s->lock);
    for (size_t n = w->stack.count / 2; n > 0; n--) {
        stack_pop(&w->stack, &w->next);
        stack_push(&s->pool, w->next.data, w->next.len);
    }
    pthread_cond_broadcast(&s->wake);
    pthread_mutex_unlock(&s->lock);
}

/* Waits for a state of the pool; false when all is explored. */
static bool take_from_pool(struct worker *w)
{
    struct search *s = w->s;
    pthread_mutex_lock(&s->lock);
    atomic_fetch_add(&s->hungry, 1);
    s->idle++;
    bool got;
    while (!(got = stack_pop(&s->pool, &w->state)) && !s->done) {
        if (s->idle == s->workers || atomic_load(&s->stop)) {
            s->done = true;
            pthread_cond_broadcast(&s->wake);
            break;
        }
        pthread_cond_wait(&s->wake, &s->lock);
    }
    s->idle--;
    atomic_fetch_sub(&s->hungry, 1);
    pthread_mutex_unlock(&s->lock);
    return got;
}

static void explore_from_pool(struct worker *w)
{
    uint64_t expanded = 0;
    while (take_from_pool(w)) {
        do {
            expand(w);
            if (++expanded % SHARE_EVERY == 0 || atomic_load(&w->s->hungry))
                housekeeping(w);
        } while (!atomic_load(&w->s->stop) && stack_pop(&w->stack, &w->state));
        if (atomic_load(&w->s->stop))
            break;
    }
    housekeeping(w);
    /* A worker that stops at a limit must not leave the others waiting. */
    pthread_mutex_lock(&w->s->lock);
    if (atomic_load(&w->s->stop))
        w->s->done = true;
    pthread_cond_broadcast(&w->s->wake);
    pthread_mutex_unlock(&w->s->lock);
}

static void *run_worker(void *arg)
{
    struct worker *w = arg;
    rcu_register_thread();
    explore_from_pool(w);
    rcu_unregister_thread();
    return NULL;
}

static void worker_init(struct worker *w, struct search *s)
{
    w->s = s;
    struct oracle *oracle = s->o->oracle ? oracle_new(s->program) : NULL;
    w->m = machine_new(s->program, s->contract,
                       (struct machine_options){.oracle = oracle, .kernel = oracle != NULL});
    machine_reset(w->m);
    machine_name_lines(w->m);
    w->packer = packer_new(w->m);
}

static void worker_end(struct worker *w, struct explore_result *r)
{
    r->states += w->states;
    r->transitions += w->transitions;
    r->finals += w->finals;
    r->deadlocks += w->deadlocks;
    r->max_stack += w->max_stack;
    packer_free(w->packer);
    struct oracle *oracle = w->m->oracle;
    machine_free(w->m);
    oracle_free(oracle);
    stack_free(&w->stack);
    pack_buffer_free(&w->state);
    pack_buffer_free(&w->next);
}

static void run_workers(struct search *s, struct worker *workers)
{
    pthread_t threads[s->planned];
    int started = 0;
    while (started < s->planned - 1 &&
           pthread_create(&threads[started], NULL, run_worker, &workers[started + 1]) == 0)
        started++;
    pthread_mutex_lock(&s->lock);
    s->workers = started + 1;
    pthread_mutex_unlock(&s->lock);
    explore_from_pool(&workers[0]);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

void explore(const struct program *p, const struct contract *k, const struct explore_options *o,
             struct explore_result *result)
{
    int n = o->threads > 0 ? o->threads : 1;
    struct search s = {.program = p,
                       .contract = k,
                       .o = o,
                       .workers = n,
                       .planned = n,
                       .start = seconds_now(),
                       .result = result};
    struct worker *workers = calloc((size_t)n, sizeof *workers);
    if (!workers)
        abort();
    *result = (struct explore_result){0};
    rcu_register_thread();
    s.seen =
        cds_lfht_new(SET_BUCKETS, SET_BUCKETS, 0, CDS_LFHT_AUTO_RESIZE | CDS_LFHT_ACCOUNTING, NULL);
    pthread_mutex_init(&s.lock, NULL);
    pthread_cond_init(&s.wake, NULL);
    for (int i = 0; i < n; i++)
        worker_init(&workers[i], &s);
    workers[0].first = true;
    pack_store(workers[0].packer, workers[0].m, &workers[0].next);
    visit(&workers[0], &workers[0].next);
    stack_push(&s.pool, workers[0].next.data, workers[0].next.len);
    run_workers(&s, workers);
    for (int i = 0; i < n; i++)
        worker_end(&workers[i], result);
    result->complete = !atomic_load(&s.stop);
    result->memory = atomic_load(&s.memory);
    result->seconds = seconds_now() - s.start;
    struct cds_lfht_iter iter;
    struct cds_lfht_node *node;
    rcu_read_lock();
    cds_lfht_for_each(s.seen, &iter, node) cds_lfht_del(s.seen, node);
    rcu_read_unlock();
    synchronize_rcu();
    for (int i = 0; i < n; i++)
        arena_free(&workers[i].pool.arena);
    rcu_unregister_thread();
    cds_lfht_destroy(s.seen, NULL);
    stack_free(&s.pool);
    free(workers);
    pthread_mutex_destroy(&s.lock);
    pthread_cond_destroy(&s.wake);
}
