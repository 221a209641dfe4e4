/* SPDX-License-Identifier: MIT */
/*
 * Programs with lines dropped, repeated or exchanged and words replaced: what the verifier accepts,
 * the passes either take, and then everything that they promise holds, or refuse with one error.
 */
#include <glob.h>
#include <stdlib.h>

#include "base/rng.h"
#include "ir/equal.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "tests/passes/transform_rig.h"

enum { MUTATIONS = 1500, MAX_LINES = 400, MAX_EDITS = 3 };

struct lines {
    const char *at[MAX_LINES];
    size_t len[MAX_LINES], n;
};

static struct lines split(const char *text)
{
    struct lines l = {0};
    while (*text && l.n < MAX_LINES) {
        size_t len = strcspn(text, "\n");
        l.at[l.n] = text;
        l.len[l.n++] = len;
        text += len + (text[len] == '\n');
    }
    return l;
}

/* ---- edits ---- */

static size_t pick(struct rng *r, size_t n)
{
    return (size_t)rng_below(r, n);
}

static void drop(struct lines *l, struct rng *r)
{
    size_t i = pick(r, l->n);
    memmove(&l->at[i], &l->at[i + 1], (l->n - i - 1) * sizeof *l->at);
    memmove(&l->len[i], &l->len[i + 1], (l->n - i - 1) * sizeof *l->len);
    l->n--;
}

static void copy(struct lines *l, struct rng *r)
{
    size_t from = pick(r, l->n), to = pick(r, l->n);
    l->at[to] = l->at[from];
    l->len[to] = l->len[from];
}

static void exchange(struct lines *l, struct rng *r)
{
    size_t x = pick(r, l->n), y = x + 1 < l->n ? x + 1 : x;
    const char *at = l->at[x];
    size_t len = l->len[x];
    l->at[x] = l->at[y];
    l->len[x] = l->len[y];
    l->at[y] = at;
    l->len[y] = len;
}

static size_t word_length(const char *p, size_t left)
{
    size_t n = 0;
    while (n < left && (p[n] == '_' || (p[n] >= 'a' && p[n] <= 'z') ||
                        (p[n] >= 'A' && p[n] <= 'Z') || (p[n] >= '0' && p[n] <= '9')))
        n++;
    return n;
}

/* A random word of the line, by its start; NULL when it has none. */
static const char *random_word(const struct lines *l, size_t line, struct rng *r, size_t *len)
{
    for (int tries = 0; tries < 20 && l->len[line]; tries++) {
        size_t i = pick(r, l->len[line]);
        while (i > 0 && word_length(l->at[line] + i - 1, 1))
            i--;
        *len = word_length(l->at[line] + i, l->len[line] - i);
        if (*len)
            return l->at[line] + i;
    }
    return NULL;
}

/* One word of a line becomes a word of another line, or a number. */
static void replace(struct arena *a, struct lines *l, struct rng *r)
{
    static const char *const numbers[] = {"0", "1", "2", "-1", "16", "True"};
    size_t line = pick(r, l->n), len, other_len;
    const char *word = random_word(l, line, r, &len);
    const char *other = random_word(l, pick(r, l->n), r, &other_len);
    if (!word || !other)
        return;
    if (pick(r, 3) == 0) {
        other = numbers[pick(r, sizeof numbers / sizeof *numbers)];
        other_len = strlen(other);
    }
    size_t head = (size_t)(word - l->at[line]), tail = l->len[line] - head - len;
    l->at[line] = arena_printf(a, "%.*s%.*s%.*s", (int)head, l->at[line], (int)other_len, other,
                               (int)tail, word + len);
    l->len[line] = strlen(l->at[line]);
}

static const char *mutate(struct arena *a, const char *text, struct rng *r)
{
    struct lines l = split(text);
    struct strbuf b = strbuf_make(a);
    for (size_t edits = 1 + pick(r, MAX_EDITS); edits-- && l.n > 1;) {
        switch (pick(r, 6)) {
        case 0:
            drop(&l, r);
            break;
        case 1:
            copy(&l, r);
            break;
        case 2:
            exchange(&l, r);
            break;
        default:
            replace(a, &l, r);
        }
    }
    for (size_t i = 0; i < l.n; i++) {
        strbuf_addn(&b, l.at[i], l.len[i]);
        strbuf_add(&b, "\n");
    }
    return b.text;
}

/* ---- the property ---- */

struct outcome {
    int refused, stopped, taken; /* as a text; by a pass; by none */
};

/* Folding shows the verifier constants that it could not see before,
 * and so breaches of the text. */
static bool is_seen_by_folding(const char *message)
{
    static const char *const rules[] = {"[region-negative]", "[region-bounds]", "[region-extent]",
                                        "[valid-exceeds]",   "[loop-step]",     "[argument-extent]",
                                        "[valid-negative]",  "[loop-bound]"};
    bool seen = false;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        seen |= strstr(message, rules[i]) != NULL;
    return seen && strncmp(message, "after Simplify: ", 16) == 0;
}

/* Whether a text survives printing is for the suites of ir to say. */
static bool reads_back(struct arena *a, const struct ir_program *p)
{
    struct diag d = {.arena = a};
    const struct source *text = source_from_string(a, "printed.py", ir_print(a, p));
    const struct ir_program *again = ir_parse(a, text, &d);
    return again && ir_equal(p, again);
}

static void try_text(const char *name, const char *text, struct outcome *o)
{
    static const struct pass_options checked = {
        .batch = PASS_BATCH_LOOPS, .markers = true, .verify_each = true};
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const struct ir_program *p = ir_parse(&a, source_from_string(&a, name, text), &d);
    if (!p || !verify_program(p, &d) || !reads_back(&a, p)) {
        o->refused++;
    } else if (passes_run(&a, p, NULL, 0, &checked, NULL, &d)) {
        o->taken++;
    } else {
        o->stopped++;
        cr_assert(d.failed && (strncmp(d.message, "after ", 6) || is_seen_by_folding(d.message)),
                  "%s\n%s", diag_text(&d, &a), text);
    }
    arena_free(&a);
}

Test(mutated, passes_keep_their_promises)
{
    static const char *const folders[] = {"tests/cases/*/program_*.before.py", "kernels/host/*.py",
                                          "kernels/*.py"};
    const char *more = getenv("MUTATIONS");
    int mutations = more ? atoi(more) : MUTATIONS;
    struct rng r = rng_make(1, 0);
    struct outcome o = {0};
    glob_t files = {0};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        glob(folders[i], i ? GLOB_APPEND : 0, NULL, &files);
    cr_assert(files.gl_pathc > 10);
    for (int m = 0; m < mutations; m++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const char *path = files.gl_pathv[pick(&r, files.gl_pathc)];
        const struct source *src = source_read(&a, path, &d);
        cr_assert(src, "%s", diag_text(&d, &a));
        try_text(path, mutate(&a, src->text, &r), &o);
        arena_free(&a);
    }
    globfree(&files);
    cr_expect(o.taken > mutations / 20 && o.refused > mutations / 20,
              "%d refused, %d stopped, %d taken", o.refused, o.stopped, o.taken);
}
