/* SPDX-License-Identifier: MIT */
/*
 * What a task of a machine program does that others can see: the instructions that reach memory,
 * order or work on tiles, one line each and without registers, so that what two front ends make of
 * one kernel can be compared. Loads of communication contexts are left out: they are part of an
 * address.
 */
#ifndef TESTS_EFFECTS_H
#define TESTS_EFFECTS_H

#include "isa/program.h"

/* NULL: the program has no task of that name; of several the first one counts. regions: with the
 * names of tensors. */
const char *task_effects(struct arena *a, const struct program *p, const char *task, bool regions);

/* The same of a task by its number. */
const char *task_effects_at(struct arena *a, const struct program *p, int task, bool regions);

#endif
