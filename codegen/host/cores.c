/* SPDX-License-Identifier: MIT */
/* Which core of its rank a task runs on (codegen/host/host.h). */
#include <string.h>

#include "codegen/internal.h"
#include "codegen/host/host_internal.h"
#include "passes/deferred_wait.h"
#include "passes/rewrite.h"

bool host_takes_cluster(const struct host_run *h, const struct host_task *t)
{
    return h->plan->clustered && (lanes_is_dual(t->func) || (h->lanes && h->lanes->mixed));
}

/* ---- cores that tasks share ---- */

/* A number among the cores of its kind: what runs at once needs one for each task, others take the
 * contract's in turn. */
static int core_number(struct host_run *h, const struct host_task *t)
{
    int turn = h->rank_tasks[h->rank]++ % h->cores;
    return h->lanes || t->blocks > h->cores ? t->lane * t->blocks + t->block : turn;
}

static struct core_place place_of(struct host_run *h, const struct host_task *t)
{
    int n = core_number(h, t);
    if (host_takes_cluster(h, t))
        return launch_place(t->func->type == IR_FUNC_AIC, true, t->block, t->vector);
    return launch_place(t->func->type == IR_FUNC_AIC, false, n, 0);
}

static bool take_core(struct host_run *h, struct host_task *t, int core)
{
    struct host_plan *plan = h->plan;
    if (core >= HOST_MAX_CORES)
        return host_error(h, t->at, "'%s' needs more than %d cores of a rank at once", t->name,
                          HOST_MAX_CORES);
    t->core = core;
    t->index = h->core_tasks[t->rank][core]++;
    if (plan->cores_per_rank <= core)
        plan->cores_per_rank = core + 1;
    return true;
}

bool host_choose_core(struct host_run *h, struct host_task *t)
{
    if (t->strand >= 0) {
        t->strand += host_takes_cluster(h, t) || t->blocks > 1 ? t->block : 0;
        return true;
    }
    return take_core(h, t,
                     h->plan->clustered
                         ? launch_add_place(h->arena, &h->plan->places, place_of(h, t))
                         : core_number(h, t));
}

/* ---- cores of tasks that wait for a deferred completion ---- */

/* The strand of a task that t waits for, when t can follow on it: it is its last. */
static int strand_to_follow(const struct host_run *h, const int *before, int n)
{
    for (int i = 0; i < n; i++) {
        int strand = h->plan->tasks.items[before[i]].strand;
        if (strand >= 0 && h->strands.items[strand].last == before[i])
            return strand;
    }
    return -1;
}

/* One for each block, with numbers in a row. */
static int new_strands(struct host_run *h, const struct host_task *t)
{
    int first = (int)h->strands.len;
    for (int block = 0; block < t->blocks; block++) {
        struct host_strand s = {.number = h->rank_strands[t->rank]++, .last = -1};
        vec_push(h->arena, &h->strands, s);
    }
    return first;
}

/* The lanes of a Group take the clusters that its first lane took. */
static int strand_of_group(struct host_run *h, const struct host_task *t)
{
    if (h->lanes->strand < 0)
        h->lanes->strand = new_strands(h, t);
    return h->lanes->strand;
}

void host_choose_strand(struct host_run *h, struct host_task *t, const int *before, int n)
{
    bool waits = t->deferred;
    t->strand = -1;
    for (int i = 0; i < n; i++) {
        waits |= h->plan->tasks.items[before[i]].strand >= 0;
        t->picked_late |= h->plan->tasks.items[before[i]].deferred;
    }
    if (!waits)
        return;
    if (h->lanes && host_takes_cluster(h, t))
        t->strand = strand_of_group(h, t);
    else if (t->blocks == 1 && !h->plan->clustered)
        t->strand = strand_to_follow(h, before, n);
    if (t->strand < 0)
        t->strand = new_strands(h, t);
}

static enum walk find_meeting(const struct ir_stmt *s, void *ctx)
{
    (void)ctx;
    const struct ir_call *c = ir_leaf_call(s);
    bool set = c && c->op && !strcmp(c->op->name, "system.sync_set");
    bool meets = c && c->op && !strcmp(c->op->name, "system.syncall");
    return meets || (set && ir_call_int(c, "ffts_mode") == 0) ? WALK_FOUND : WALK_INTO;
}

/* All cores of a rank meet, and how many these are is not what strands leave. */
static bool check_meetings(struct host_run *h)
{
    vec_foreach (const struct host_task, t, &h->plan->tasks) {
        const struct ir_stmt *s = pass_find_stmt(&t->func->body, find_meeting, NULL);
        if (s)
            return host_error(h, s->span,
                              "all cores of a rank meet here, and how many these are is not "
                              "modelled in a program that defers the completion of tasks");
    }
    return true;
}

static int first_free(const struct host_plan *plan)
{
    int free = plan->clustered ? 0 : plan->cores_per_rank;
    vec_foreach (const struct core_place, p, &plan->places)
        free = p->cluster >= free ? p->cluster + 1 : free;
    return free;
}

bool host_place_strands(struct host_run *h)
{
    struct host_plan *plan = h->plan;
    int base = first_free(plan);
    if (h->strands.len && !check_meetings(h))
        return false;
    vec_foreach (struct host_task, t, &plan->tasks) {
        if (t->strand < 0)
            continue;
        int n = base + h->strands.items[t->strand].number;
        struct core_place at = launch_place(t->func->type == IR_FUNC_AIC, true, n, t->vector);
        if (!take_core(h, t, plan->clustered ? launch_add_place(h->arena, &plan->places, at) : n))
            return false;
    }
    return true;
}
