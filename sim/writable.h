/* SPDX-License-Identifier: MIT */
/*
 * The words of memory that some instruction of a program may write, whichever core runs it and
 * whatever its registers hold. All others have their initial value in every state of every run: in
 * memory, in each cache and in each message.
 *
 * A store with a literal address writes there; one through a register stays in the region that it
 * names, or the run stops with an error before it has an effect.
 */
#ifndef SIM_WRITABLE_H
#define SIM_WRITABLE_H

#include "base/vec.h"
#include "isa/program.h"

struct writable {
    int nranks, line;    /* bytes */
    uint64_t lines;      /* per rank */
    uint64_t *masks;     /* per rank and line: its words that may be written, as bits */
    VEC(uint64_t) words; /* the global addresses of those words, each once */
};

/* checked: transfers of pipes are held to their regions as well (machine_options.kernel). */
struct writable *writable_new(struct arena *a, const struct program *p, int line, bool checked);

/* Of the line that holds addr, which is in some rank's memory. */
static inline uint64_t writable_mask(const struct writable *w, uint64_t addr)
{
    return w->masks[(uint64_t)gm_rank(addr) * w->lines + gm_offset(addr) / (uint64_t)w->line];
}

/* Some of size bytes at addr, which lie in one line. */
bool writable_any(const struct writable *w, uint64_t addr, int size);

#endif
