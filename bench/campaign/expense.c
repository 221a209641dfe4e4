/* SPDX-License-Identifier: MIT */
#include "bench/campaign/expense.h"

struct expense kase_expense(const struct kase *k)
{
    struct arena a = {0};
    struct tally t = {0};
    struct runner_options o = k->options;
    o.driver = DRIVER_TIMED;
    o.adversary = false;
    o.dispatch_skew = 0;
    struct runner *r = runner_new(k->program, k->contract, k->golden, o);
    for (uint64_t i = 0; i < EXPENSE_RUNS && runner_run(r, k->of->seed + i, &t, &a); i++)
        ;
    runner_free(r);
    uint64_t flushes = 0, fences = 0;
    for (int i = 0; i < ORIGIN_COUNT; i++)
        if (origin_is_rule((enum origin_kind)i) || i == ORIGIN_HAND) {
            flushes += t.stats.dcci_all[i];
            fences += t.stats.fences[i];
        }
    double calls = (double)EXPENSE_RUNS * k->nranks;
    arena_free(&a);
    return (struct expense){(double)flushes / calls, (double)fences / calls,
                            (double)t.cycles_sum / EXPENSE_RUNS};
}

int expense_compare_dearer(const struct expense *x, const struct expense *y)
{
    if (x->flushes != y->flushes)
        return x->flushes > y->flushes ? -1 : 1;
    return x->cycles == y->cycles ? 0 : x->cycles > y->cycles ? -1 : 1;
}
