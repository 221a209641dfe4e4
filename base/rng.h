/* SPDX-License-Identifier: MIT */
/*
 * Random numbers: xoshiro256** seeded by splitmix64 (Blackman and Vigna, public domain algorithms).
 * A generator is a value: the same seed and stream give the same numbers on every machine and in
 * every thread. Streams keep independent uses of one seed apart.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

struct rng {
    uint64_t s[4];
};

struct rng rng_make(uint64_t seed, uint64_t stream);
uint64_t rng_u64(struct rng *r);
/* Uniform in [0, n); n >= 1. */
uint64_t rng_below(struct rng *r, uint64_t n);
/* Uniform in [0, 1). */
double rng_unit(struct rng *r);

#endif
