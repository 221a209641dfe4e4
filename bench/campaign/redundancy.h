/* SPDX-License-Identifier: MIT */
/*
 * Why a marker that was proved redundant is so, where one line says it: rules over the text of the
 * machine program. A rule proves nothing; it is asked when the proof is there.
 */
#ifndef BENCH_REDUNDANCY_H
#define BENCH_REDUNDANCY_H

#include "isa/program.h"

/* Why p can do without the site: "the barrier of TPUT at line 20 drains the same pipes"; "" when no rule
 * tells it. The text lives in arena a. */
const char *redundancy_why(struct arena *a, const struct program *p, int site);

#endif
