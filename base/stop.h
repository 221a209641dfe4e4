/* SPDX-License-Identifier: MIT */
/*
 * A wish that the program ends early: by SIGINT, SIGTERM or a limit of time. Whatever runs long asks
 * for it and returns what it has; what was cut short is no answer, and its caller must not take it for
 * one. It is the one thing that all threads share, because a signal is about the whole process.
 */
#ifndef BASE_STOP_H
#define BASE_STOP_H

#include <stdatomic.h>
#include <stdbool.h>

enum stop_cause { STOPPED_NOT, STOPPED_INTERRUPT, STOPPED_TERMINATE, STOPPED_TIME };

extern atomic_int stop_flag; /* an enum stop_cause; read it with the functions below */

static inline enum stop_cause stop_cause(void)
{
    return (enum stop_cause)atomic_load_explicit(&stop_flag, memory_order_relaxed);
}

static inline bool stop_wanted(void)
{
    return stop_cause() != STOPPED_NOT;
}

/* From here on SIGINT and SIGTERM are wishes. Another one, more than a
 * second later, ends the process at once, as usual. */
void stop_on_signals(void);

/* The wish comes by itself after so many seconds, 1 or more. */
void stop_after(unsigned seconds);

/* What a process that ended by this cause returns: 130, 143, or `limit` for the limit of time. */
int stop_exit_code(enum stop_cause c, int limit);

#endif
