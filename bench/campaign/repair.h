/* SPDX-License-Identifier: MIT */
/*
 * Repair of a kernel's file: calls beside its statements with which it is clean in every case.
 *
 * Round by round the first finding is asked for its remedies (bench/campaign/remedy.h), which are
 * written into the file as calls, until the file is clean; where no remedy can be said, the whole way
 * of the finding gets every marker. Then the calls that are not needed go again, the dearest first
 * (bench/campaign/greedy.h), and those that stay move out of loops as far as the file stays clean
 * and no dearer, with one rank more too. So no call of the answer can go alone; another set may still be cheaper.
 */
#ifndef BENCH_REPAIR_H
#define BENCH_REPAIR_H

#include "bench/campaign/clean.h"

struct repair {
    remedy_calls calls;           /* beside lines of the source */
    kases cases;                  /* of the file with them */
    struct clean_answer *answers; /* one for each of the cases, up to the first unclean one */
    size_t unclean;               /* which one is not clean; their number: all are */
    bool stopped;    /* a stop was wanted before it was known (base/stop.h): unclean says nothing */
    const char *why; /* not clean: what is known of a remedy, or NULL */
};

static inline bool repair_clean(const struct repair *r)
{
    return !r->stopped && r->unclean == r->cases.len;
}

/* cases: of one program of one file. All that r points to lives in the arena of the experiment. */
void repair_find(const kases *cases, const struct clean_plan *plan, struct repair *r);

/* The same without looking for anything: the file as it is. */
void repair_none(const kases *cases, const struct clean_plan *plan, struct repair *r);

#endif
