/* SPDX-License-Identifier: MIT */
/*
 * The states that an exploration has seen, by their xxh3-128 hashes, shared by its workers.
 *
 * Workers add states between state_set_enter and state_set_leave. Adding takes no lock: an entry is
 * claimed by one compare-and-swap. Lengthening the table waits until everybody has left. A general
 * hash table of linked nodes (liburcu cds_lfht) does the same at several times the cost, all of it
 * in waiting for memory: `make bench` prints both.
 */
#ifndef SIM_STATE_SET_H
#define SIM_STATE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <xxhash.h>

struct state_set;

/* Running out of memory ends the process, as in base/arena.h. */
struct state_set *state_set_new(int workers);
void state_set_free(struct state_set *s);

void state_set_enter(struct state_set *s);
void state_set_leave(struct state_set *s);

/* The memory that state_set_add will look at is wanted soon. */
void state_set_prefetch(const struct state_set *s, XXH128_hash_t hash);

/*
 * Adds a state with a mark; true when it is new. Otherwise *mark becomes the mark that it had, and
 * the state keeps what both marks have in common.
 */
bool state_set_add(struct state_set *s, XXH128_hash_t hash, uint64_t *mark);

/*
 * Makes room for more when so many states are in the set. To be called, outside, at the latest when
 * the caller has added STATE_SET_CALL. False when a longer table, next to the present one, would
 * take more than max_bytes (0: no limit).
 */
enum { STATE_SET_CALL = 2048 };
bool state_set_reserve(struct state_set *s, uint64_t states, uint64_t max_bytes);

/* Of the table. */
size_t state_set_bytes(const struct state_set *s);

#endif
