/* SPDX-License-Identifier: MIT */
/* The entry of libFuzzer (make fuzz). FUZZ_TARGET in the environment names the reader. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/mutate.h"
#include "tests/fuzz/targets.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

static const struct fuzz_target *target(void)
{
    const char *name = getenv("FUZZ_TARGET");
    const struct fuzz_target *t = fuzz_target_find(name ? name : "ir");
    if (!t) {
        fprintf(stderr, "FUZZ_TARGET=%s: no such target\n", name);
        exit(2);
    }
    return t;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = {0};
    if (memchr(data, '\0', size))
        return 0; /* files with NUL bytes are refused before they are read as text */
    const char *text = arena_strndup(&a, (const char *)data, size);
    const char *wrong = target()->run(&a, source_from_string(&a, "input", text));
    if (wrong) {
        fprintf(stderr, "%s\n", wrong);
        abort();
    }
    arena_free(&a);
    return 0;
}

/* Half of the time bytes, as the library does it, and half of the time lines and tokens. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    if (seed % 2 || size == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    struct arena a = {0};
    struct rng r = rng_make(seed, 7);
    const char *text = arena_strndup(&a, (const char *)data, size);
    const char *out = mutate(&a, &r, text, text);
    size_t len = strlen(out) < max_size ? strlen(out) : max_size;
    memcpy(data, out, len);
    arena_free(&a);
    return len;
}
