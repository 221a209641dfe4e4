/* SPDX-License-Identifier: MIT */
#include "base/rng.h"

static uint64_t splitmix(uint64_t *x)
{
    uint64_t z = (*x += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

struct rng rng_make(uint64_t seed, uint64_t stream)
{
    uint64_t x = seed, y = stream + 0x632be59bd9b4e019u;
    uint64_t mix = splitmix(&x) ^ splitmix(&y);
    struct rng r;
    for (int i = 0; i < 4; i++)
        r.s[i] = splitmix(&mix);
    return r;
}

static uint64_t rotl(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

uint64_t rng_u64(struct rng *r)
{
    uint64_t *s = r->s, result = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
}

uint64_t rng_below(struct rng *r, uint64_t n)
{
    /* Multiply-shift: the bias is below n/2^64 and the number of draws is fixed, which replay
     * needs. */
    return (uint64_t)(((unsigned __int128)rng_u64(r) * n) >> 64);
}

double rng_unit(struct rng *r)
{
    return (double)(rng_u64(r) >> 11) * 0x1p-53;
}
