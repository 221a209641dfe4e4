/* SPDX-License-Identifier: MIT */
#include "sim/explore/explore.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/clock.h"
#include "base/pool.h"
#include "base/stop.h"
#include "sim/course.h"
#include "sim/explore/cores_first.h"
#include "sim/explore/independent.h"
#include "sim/explore/leaving.h"
#include "sim/oracle.h"
#include "sim/explore/pack.h"
#include "sim/explore/persistent.h"
#include "sim/explore/state_set.h"

enum { MAX_STEPS = 1024, MAX_SETTLE = 1 << 16, FIRST_PROGRESS = 1 << 14 };

/*
 * What is to be done in a state. The agents in sleep have steps that lead only where others get as
 * well: a step that was taken before, in a state on the way here, and that commutes with all that
 * came since. A state that is reached again with fewer of them asleep owes the steps of those.
 */
struct duty {
    uint64_t sleep, due; /* bits of agent_of */
};
enum { EVERY_STEP = -1 };

/* ---- stacks of packed states ---- */

struct pushed {
    struct duty duty;
    XXH128_hash_t hash;
    uint64_t depth;
};

struct stack {
    uint8_t *data; /* each a struct pushed and the state, back to back */
    size_t len, cap;
    size_t *starts; /* offset of each */
    size_t count, starts_cap;
};

static void stack_push(struct stack *s, struct pushed pushed, const uint8_t *state, size_t n)
{
    size_t size = sizeof pushed + n;
    if (s->len + size > s->cap) {
        s->cap = (s->len + size) * 2;
        s->data = realloc(s->data, s->cap);
    }
    if (s->count == s->starts_cap) {
        s->starts_cap = s->starts_cap ? s->starts_cap * 2 : 1024;
        s->starts = realloc(s->starts, sizeof *s->starts * s->starts_cap);
    }
    if (!s->data || !s->starts)
        abort();
    memcpy(s->data + s->len, &pushed, sizeof pushed);
    memcpy(s->data + s->len + sizeof pushed, state, n);
    s->starts[s->count++] = s->len;
    s->len += size;
}

/* The newest state, its bytes valid until the next push; NULL when there is none. */
static const uint8_t *stack_pop(struct stack *s, struct pushed *pushed, size_t *n)
{
    if (!s->count)
        return NULL;
    size_t start = s->starts[--s->count];
    memcpy(pushed, s->data + start, sizeof *pushed);
    *n = s->len - start - sizeof *pushed;
    s->len = start;
    return s->data + start + sizeof *pushed;
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
    const struct course *course; /* or NULL */
    struct state_set *seen;
    struct pool pool;       /* of gifts */
    pthread_mutex_t lock;   /* on_final and on_finding are called under it */
    struct worker *workers; /* one a thread */
    struct agents *agents;  /* NULL: without sleep sets */
    struct arena arena;
    atomic_bool stop, strayed;
    atomic_uint_fast64_t states, memory;
    double start;
};

/* States given away to an idle worker. */
struct gift {
    struct pool_job job;
    struct stack states;
};

struct worker {
    struct search *s;
    struct machine *m;
    struct packer *packer;
    struct cores_first *first_cores; /* NULL: every core's steps are taken in each state */
    struct stack stack;
    struct pushed at; /* the state that the machine was put into last */
    uint64_t states, transitions, finals, deadlocks, max_stack;
    uint64_t reported; /* states already added to the shared count */
    struct arena arena;
    double shown; /* when progress was reported last; 0: never */
    bool first;   /* the worker that reports it */
};

/* True when something is to be done in the state of that hash, reached with duty->sleep. */
static bool visit(struct worker *w, XXH128_hash_t hash, struct duty *duty)
{
    uint64_t mark = duty->sleep;
    duty->due = (uint64_t)EVERY_STEP;
    if (state_set_add(w->s->seen, hash, &mark)) {
        w->states++;
        return true;
    }
    duty->due = mark & ~duty->sleep;
    duty->sleep &= mark;
    return duty->due != 0;
}

/* The last step, or the end of the run, made the oracle find something. */
static bool has_found(const struct worker *w)
{
    int n = 0;
    if (w->m->oracle)
        oracle_findings(w->m->oracle, &n);
    return n > 0;
}

/* A callback may have wanted no more; called under the lock of the callbacks. */
static void stop_if_enough(struct search *s)
{
    if (s->o->enough && *s->o->enough)
        atomic_store(&s->stop, true);
}

/* Reports it; true when the path ends there. */
static bool found(struct worker *w)
{
    if (!has_found(w))
        return false;
    pthread_mutex_lock(&w->s->lock);
    w->s->o->on_finding(w->s->o->ctx, w->m);
    stop_if_enough(w->s);
    pthread_mutex_unlock(&w->s->lock);
    int n;
    const struct finding *f = oracle_findings(w->m->oracle, &n);
    for (int i = 0; i < n; i++)
        if (!verdict_for_later(f[i].verdict))
            return true;
    oracle_forget_findings(w->m->oracle);
    return false;
}

static void report_final(struct worker *w, bool deadlock)
{
    if (w->m->oracle) {
        oracle_finish(w->m->oracle, w->m);
        found(w);
    }
    w->finals++;
    w->deadlocks += deadlock;
    if (w->s->o->on_final) {
        pthread_mutex_lock(&w->s->lock);
        w->s->o->on_final(w->s->o->ctx, w->m, deadlock);
        stop_if_enough(w->s);
        pthread_mutex_unlock(&w->s->lock);
    }
    if (w->m->oracle) /* they end no path from here */
        oracle_forget_findings(w->m->oracle);
}

static bool leaves_later(const struct worker *w, struct transition t, bool idle)
{
    const struct machine *m = w->m;
    return m->opt.leaves_late && t.kind == T_EVICT &&
           (leave_of(m, t, idle) == LEAVES_LATER ||
            (!idle && !machine_at_end(m) && w->first_cores &&
             cores_first_line_stays(w->first_cores, m, t)));
}

/* The steps from the machine's state; a final one is reported when it is seen first. Where there
 * are too many, some are left out, and there is no answer. */
static int steps_of(struct worker *w, struct transition *t)
{
    int enabled = machine_enabled(w->m, t, MAX_STEPS), n = 0;
    if (enabled == MAX_STEPS)
        atomic_store(&w->s->stop, true);
    if (w->at.duty.due == (uint64_t)EVERY_STEP && machine_final(w->m, t, enabled))
        report_final(w, !machine_at_end(w->m));
    bool idle = true;
    for (int i = 0; i < enabled; i++)
        idle &= t[i].kind == T_EVICT;
    for (int i = 0; i < enabled; i++)
        if (!pack_idle(w->packer, w->m, t[i]) && !leaves_later(w, t[i], idle))
            t[n++] = t[i];
    return n;
}

static void note_site(const struct worker *w, int core)
{
    const struct insn *i = machine_at(w->m, core);
    if (i && i->site >= 0)
        w->s->o->reached[i->site] = true;
}

static void take_step(struct worker *w, struct transition t)
{
    if (w->s->o->reached && t.kind == T_SCALAR)
        note_site(w, t.core);
    machine_fire(w->m, t);
    pack_step(w->packer, w->m, t);
    w->transitions++;
    if (w->s->course && oracle_strayed(w->m->oracle)) {
        atomic_store(&w->s->strayed, true);
        atomic_store(&w->s->stop, true);
    }
}

/* Takes the step, and what happens in one with it. */
static void take_whole_step(struct worker *w, struct transition t)
{
    bool leaves = w->m->opt.leaves_late && t.kind == T_EVICT;
    enum leave leave = leaves ? leave_of(w->m, t, true) : LEAVES_ALONE;
    take_step(w, t);
    if (leave != LEAVES_ALONE)
        take_step(w, leave_next(w->m, t, leave));
}

/*
 * Takes the steps that may be taken alone, most of them or until there is none: the states on the
 * way need no keeping. core: who stepped since there was none. When a step makes the oracle find
 * something, returns how many came before it, else SETTLED.
 */
enum { SETTLED = -1 };
static int settle(struct worker *w, int core, struct duty *duty, int most)
{
    struct transition t;
    if (!w->s->o->reduction)
        return SETTLED;
    for (int n = 0; n < most && persistent_step_after(w->m, core, &t); n++) {
        if (duty->sleep)
            duty->sleep &= ~agent_of(w->s->agents, w->m, t);
        take_step(w, t);
        if (has_found(w))
            return n;
    }
    return SETTLED;
}

/* What can happen in a state: steps, who takes each, and what each touches. */
struct choices {
    int n;
    struct transition steps[MAX_STEPS];
    uint64_t agents[MAX_STEPS];
    struct footprint prints[MAX_STEPS]; /* filled when a step is due */
    bool first[MAX_STEPS];              /* may be taken without the others */
};

static bool is_due(const struct duty *duty, uint64_t agent)
{
    return !(agent & duty->sleep) && (duty->due == (uint64_t)EVERY_STEP || (agent & duty->due));
}

/* False when nothing is due in the machine's state. */
static bool choose(struct worker *w, struct choices *c)
{
    struct agents *agents = w->s->agents;
    bool any = false;
    c->n = steps_of(w, c->steps);
    for (int i = 0; i < c->n; i++) {
        c->agents[i] = agents ? agent_of(agents, w->m, c->steps[i]) : 0;
        any |= is_due(&w->at.duty, c->agents[i]);
    }
    for (int i = 0; any && agents && c->n > 1 && i < c->n; i++)
        footprint_of(w->m, c->steps[i], &c->prints[i]);
    memset(c->first, true, (size_t)c->n);
    if (any && w->first_cores)
        cores_first_choose(w->first_cores, w->m, c->steps, c->n, c->first);
    return any;
}

/* Those of the agents whose steps stay as they are when the one at index taken is taken. */
static uint64_t asleep_after(const struct choices *c, uint64_t agents, int taken)
{
    uint64_t asleep = 0;
    for (int i = 0; i < c->n; i++)
        if ((c->agents[i] & agents) && independent(&c->prints[i], &c->prints[taken]))
            asleep |= c->agents[i];
    return asleep;
}

/* Puts the machine's state on the stack, to be looked up once its neighbours are ready as well. */
static void push_state(struct worker *w, struct duty duty)
{
    const struct pack_buffer *state = pack_store(w->packer, w->m);
    XXH128_hash_t hash = XXH3_128bits(state->data, state->len);
    state_set_prefetch(w->s->seen, hash);
    stack_push(&w->stack, (struct pushed){duty, hash, w->at.depth + 1}, state->data, state->len);
}

/* Of the states pushed since the stack held first, leaves those in
 * which something is to be done. */
static void keep_unseen(struct worker *w, size_t first)
{
    struct stack *s = &w->stack;
    size_t end = s->count, end_len = s->len;
    s->len = first < end ? s->starts[first] : s->len;
    s->count = first;
    for (size_t i = first; i < end; i++) {
        size_t start = s->starts[i], next = i + 1 < end ? s->starts[i + 1] : end_len;
        struct pushed pushed;
        memcpy(&pushed, s->data + start, sizeof pushed);
        if (!visit(w, pushed.hash, &pushed.duty))
            continue;
        memmove(s->data + s->len, s->data + start, next - start);
        memcpy(s->data + s->len, &pushed, sizeof pushed);
        s->starts[s->count++] = s->len;
        s->len += next - start;
    }
}

/*
 * Takes a step from the state that was loaded last, and settles; false when it makes the oracle
 * find something. A step that finds something is not taken alone, or what other steps would have
 * found first were lost: the state before it is kept, as one in which every step is taken.
 */
static bool take_and_settle(struct worker *w, struct transition t, struct duty *next)
{
    const struct duty before = *next;
    pack_back(w->packer, w->m);
    take_whole_step(w, t);
    if (found(w))
        return false;
    int left = settle(w, t.core, next, MAX_SETTLE);
    if (left == SETTLED)
        return true;
    *next = before;
    pack_back(w->packer, w->m);
    take_whole_step(w, t);
    settle(w, t.core, next, left);
    return true;
}

/* Takes those steps that are due in the machine's state and go first, or that do not; false when one
 * of them makes the oracle find something. */
static bool take_steps(struct worker *w, const struct choices *c, bool first)
{
    uint64_t taken = 0;
    bool clean = true;
    for (int i = 0; i < c->n; i++) {
        if (c->first[i] != first || !is_due(&w->at.duty, c->agents[i]))
            continue;
        struct duty next = {.sleep = asleep_after(c, w->at.duty.sleep | taken, i)};
        taken |= c->agents[i];
        if (take_and_settle(w, c->steps[i], &next))
            push_state(w, next);
        else
            clean = false;
    }
    return clean;
}

/* The steps that go first find nothing, or others might have found something before them. */
static void expand(struct worker *w)
{
    struct choices c;
    if (!choose(w, &c))
        return;
    size_t first = w->stack.count;
    if (!take_steps(w, &c, true))
        take_steps(w, &c, false);
    keep_unseen(w, first);
    if (w->stack.count > w->max_stack)
        w->max_stack = w->stack.count;
}

/* Moves states from the top of the stack to whoever is idle. */
static void give_away(struct worker *w, size_t n)
{
    if (n == 0)
        return;
    struct gift *g = calloc(1, sizeof *g);
    if (!g)
        abort();
    struct pushed pushed;
    const uint8_t *state;
    for (size_t size; n > 0 && (state = stack_pop(&w->stack, &pushed, &size)); n--)
        stack_push(&g->states, pushed, state, size);
    pool_add(&w->s->pool, &g->job);
}

/* Not for small explorations, and once a second. */
static void show_progress(struct worker *w, uint64_t states)
{
    if (!w->first || !w->s->o->on_progress || states < FIRST_PROGRESS)
        return;
    double now = clock_seconds();
    if (now - w->shown < 1)
        return;
    w->shown = now;
    struct explore_progress p = {states, w->stack.count, w->at.depth, now - w->s->start};
    w->s->o->on_progress(w->s->o->ctx, &p);
}

/* Limits, progress, and states for those who have none. */
static void housekeeping(struct worker *w)
{
    struct search *s = w->s;
    uint64_t states =
        atomic_fetch_add(&s->states, w->states - w->reported) + (w->states - w->reported);
    w->reported = w->states;
    bool room = state_set_reserve(s->seen, states, s->o->max_memory);
    uint64_t memory =
        state_set_bytes(s->seen) + (uint64_t)s->pool.threads * (sizeof *w + w->stack.cap);
    if (memory > atomic_load(&s->memory))
        atomic_store(&s->memory, memory);
    if (!room || (s->o->max_states && states > s->o->max_states) ||
        (s->o->max_memory && memory > s->o->max_memory) || stop_wanted())
        atomic_store(&s->stop, true);
    show_progress(w, states);
    if (pool_hungry(&s->pool))
        give_away(w, w->stack.count / 2);
}

/* Puts the machine into the newest state of the stack; false when there is none. */
static bool take(struct worker *w)
{
    size_t size;
    const uint8_t *state = stack_pop(&w->stack, &w->at, &size);
    if (state)
        pack_load(w->packer, w->m, state);
    return state != NULL;
}

/* One worker has taken more than all may take together. */
static void limit_transitions(struct worker *w)
{
    uint64_t max = w->s->o->max_transitions;
    if (max && w->transitions > max)
        atomic_store(&w->s->stop, true);
}

static bool housekeeping_due(const struct worker *w)
{
    return w->states - w->reported >= STATE_SET_CALL - MAX_STEPS || pool_hungry(&w->s->pool);
}

/* Explores what can be reached from the states of a gift. */
static void explore_gift(void *ctx, int thread, struct pool_job *job)
{
    struct search *s = ctx;
    struct worker *w = &s->workers[thread];
    struct gift *g = caa_container_of(job, struct gift, job);
    stack_free(&w->stack);
    w->stack = g->states;
    free(g);
    state_set_enter(s->seen);
    while (!atomic_load(&s->stop) && take(w)) {
        expand(w);
        limit_transitions(w);
        if (!housekeeping_due(w))
            continue;
        state_set_leave(s->seen);
        housekeeping(w);
        state_set_enter(s->seen);
    }
    state_set_leave(s->seen);
    housekeeping(w);
}

static void worker_init(struct worker *w, struct search *s)
{
    w->s = s;
    struct oracle *oracle = s->course      ? course_oracle(s->course, s->o->brief)
                            : s->o->oracle ? oracle_new(s->program)
                                           : NULL;
    w->m = machine_new(
        s->program, s->contract,
        (struct machine_options){.oracle = oracle, .kernel = oracle != NULL, .races = s->o->races});
    machine_reset(w->m);
    w->packer = packer_new(w->m);
    packer_observe(w->packer, w->m, s->o->observed);
    if (s->course && s->o->brief && s->o->reduction && !s->o->every_core) {
        w->m->opt.leaves_late = leaving_can_wait(w->m);
        w->first_cores = cores_first_new(&w->arena, w->m);
    }
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
    arena_free(&w->arena);
}

/* The initial state, settled as after a step. */
static void add_first(struct worker *w)
{
    struct duty duty = {0};
    int ncores = w->m->program->ncores, left = SETTLED, c = 0;
    for (; left == SETTLED && c < ncores; c++)
        left = settle(w, c, &duty, MAX_SETTLE);
    if (left != SETTLED) {
        machine_reset(w->m);
        for (int again = 0; again < c; again++)
            settle(w, again, &duty, again == c - 1 ? left : MAX_SETTLE);
    }
    push_state(w, duty);
    keep_unseen(w, 0);
    give_away(w, w->stack.count);
}

/* Returns false when a run has left the course. */
static bool search(const struct program *p, const struct contract *k,
                   const struct explore_options *o, const struct course *course,
                   struct explore_result *result)
{
    int n = o->threads > 0 ? o->threads : 1;
    struct search s = {.program = p,
                       .contract = k,
                       .o = o,
                       .course = course,
                       .pool = {.work = explore_gift, .ctx = &s, .threads = n},
                       .start = clock_seconds()};
    s.workers = calloc((size_t)n, sizeof *s.workers);
    if (!s.workers)
        abort();
    s.seen = state_set_new(n);
    pthread_mutex_init(&s.lock, NULL);
    pool_init(&s.pool);
    for (int i = 0; i < n; i++)
        worker_init(&s.workers[i], &s);
    s.workers[0].first = true;
    if (o->reduction && (!o->oracle || (course && o->brief)) && !s.workers[0].first_cores &&
        !s.workers[0].m->opt.leaves_late && footprints_known(s.workers[0].m))
        s.agents = agents_new(&s.arena, s.workers[0].m);
    add_first(&s.workers[0]);
    pool_run(&s.pool);
    for (int i = 0; i < n; i++)
        worker_end(&s.workers[i], result);
    result->complete =
        !atomic_load(&s.stop) && (!o->max_transitions || result->transitions <= o->max_transitions);
    result->memory = atomic_load(&s.memory);
    result->seconds = clock_seconds() - s.start;
    state_set_free(s.seen);
    arena_free(&s.arena);
    free(s.workers);
    pthread_mutex_destroy(&s.lock);
    return !atomic_load(&s.strayed);
}

struct contract explore_contract(const struct program *p, const struct contract *k, bool *room)
{
    struct contract roomy = *k;
    int lines = (int)((p->gm_bytes + (uint64_t)k->line - 1) / (uint64_t)k->line),
        sets = k->cache_bytes / k->line / k->ways;
    /* A set gets a line of each rank, for there is a set for each line of one. */
    *room = lines <= sets && p->nranks <= k->ways;
    roomy.ways = p->nranks > k->ways ? p->nranks : k->ways;
    roomy.cache_bytes = (lines > sets ? lines : sets) * roomy.ways * k->line;
    return roomy;
}

/* A course takes no longer than the search may: a run of more steps cannot be in it. */
void explore(const struct program *p, const struct contract *k, const struct explore_options *o,
             struct explore_result *result)
{
    const char *why = o->oracle ? "asked for" : NULL;
    bool follows = o->oracle && !o->clocks && !o->races;
    struct course *course = follows ? course_find(p, k, o->max_transitions, &why) : NULL;
    *result = (struct explore_result){.clocks = why};
    if (!search(p, k, o, course, result)) {
        if (o->on_restart)
            o->on_restart(o->ctx);
        *result = (struct explore_result){.clocks = "a wait has seen something else"};
        search(p, k, o, NULL, result);
    }
    course_free(course);
}
