/* SPDX-License-Identifier: MIT */
/*
 * The course of a determinate program: what each access of each core is, and which writes each read
 * must return, in every schedule.
 *
 * A program is determinate when all its conflicting accesses are ordered by what its waits are sure to
 * have seen. What a wait is sure of: of a flag between cores, as many sets as it has
 * been taken; else the notifies that are in every value of its cell that satisfies
 * it and that memory can hold by then, those left out that come only after it or after one that is
 * left out. Then, by induction over a schedule, each core makes the same accesses, with the same
 * operands, until some read returns another write than the one that its course names. Up to there it
 * does not matter what caches, pipes and the fabric do; and that read is a finding.
 *
 * So the oracle of an exploration (docs/machine.md) need not carry its clocks and its memory of
 * intended writes from state to state: it looks them up. One run on a coherent machine makes the
 * course; it is run again until what its waits are sure of proves itself.
 */
#ifndef SIM_COURSE_H
#define SIM_COURSE_H

#include "models/contract.h"
#include "isa/program.h"

struct course;
struct oracle;

/* The course of p, or NULL when it is not determinate, or nobody knows: then *why says it. k: a contract of
 * the machines that will follow it. most_steps: of one run of p; 0: a million. Any number of threads may
 * share a course. */
struct course *course_find(const struct program *p, const struct contract *k, uint64_t most_steps,
                           const char **why);
void course_free(struct course *c);

/* An oracle that judges by the course, as one without would, while oracle_strayed() is false. brief: its
 * findings do not say whether a message was late. c must outlive it. */
struct oracle *course_oracle(const struct course *c, bool brief);

#endif
