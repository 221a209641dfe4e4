/* SPDX-License-Identifier: MIT */
/*
 * Random small kernels and host programs for two ranks, as text: rounds of messages, each of a
 * write, a notify, the wait for it and a read, by scalar, tile, put and get, with and without
 * fences by hand. Most are free of races but for the words of a line that only some rank touches.
 */
#ifndef TESTS_LITMUS_RANDOM_KERNEL_H
#define TESTS_LITMUS_RANDOM_KERNEL_H

#include "base/arena.h"
#include "base/rng.h"

enum { RANDOM_KERNEL_RANKS = 2 };

/* One InCore function. */
const char *random_kernel(struct arena *a, uint64_t seed);

/* Two or three kernels on each rank, over windows and tensors that they share. */
const char *random_host_program(struct arena *a, uint64_t seed);

/* The same of tasks in every form, some of which complete when the peer has notified, or run in two
 * blocks: for ranks of two cores. */
const char *random_task_program(struct arena *a, uint64_t seed);

#endif
