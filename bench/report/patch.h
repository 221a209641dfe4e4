/* SPDX-License-Identifier: MIT */
/* Calls beside the lines of a file (bench/campaign/remedy_written.h) as a unified patch. */
#ifndef BENCH_PATCH_H
#define BENCH_PATCH_H

#include "bench/campaign/remedy_written.h"

/* For `patch -p0` where the files of s have the names that it gives them. Empty without calls. */
const char *patch_text(struct arena *a, const struct source *s, const remedy_calls *calls);

#endif
