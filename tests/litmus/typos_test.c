/* SPDX-License-Identifier: MIT */
/*
 * Typos: one word or mark of a litmus test, a contract or a toolchain profile is misspelt. Each is
 * one clear error at its line, or at the place that names what was spelt right; none is accepted
 * that makes another test of it.
 *
 * A typo that makes another word of the language (mte2 of mte3, r1 of r0, 2 of 1) is a different
 * text and no typo that anything could tell; those are passed over.
 */
#include <ctype.h>
#include <fts.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/rng.h"
#include "litmus/tree.h"
#include "models/contract.h"
#include "tests/litmus/litmus_rig.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

enum { LITMUS_TYPOS = 1500, INI_TYPOS = 1500 };

/* ---- files ---- */

struct text {
    const char *name, *text;
};
typedef VEC(struct text) texts;

static void add_files(struct arena *a, const char *folder, const char *suffix, texts *out)
{
    char *const roots[] = {arena_strdup(a, folder), NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    for (FTSENT *at; walk && (at = fts_read(walk));) {
        size_t n = strlen(at->fts_name), m = strlen(suffix);
        struct diag d = {.arena = a};
        if (at->fts_info != FTS_F || n <= m || strcmp(at->fts_name + n - m, suffix) != 0)
            continue;
        const struct source *s = source_read(a, at->fts_path, &d);
        cr_assert(s, "%s", diag_text(&d, a));
        vec_push(a, out, (struct text){s->name, s->text});
    }
    fts_close(walk);
    cr_assert(out->len, "no files in %s", folder);
}

/* ---- typos ---- */

/* A piece of a text: a word, or a mark. */
struct piece {
    size_t at, len;
    int line;
};

struct typo {
    const char *was, *is, *text; /* the piece before and after, and the whole text with it */
    int line;
};

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_.-", c));
}

/* Words and marks outside of comments and strings. In a contract or profile all of a line behind
 * "doc =" is text. */
static size_t pieces_of(struct arena *a, const char *text, bool ini, struct piece **out)
{
    VEC(struct piece) all = {0};
    int line = 1;
    for (size_t i = 0; text[i];) {
        size_t n = 1;
        if (text[i] == '\n')
            line++;
        else if (text[i] == '#')
            n = strcspn(text + i, "\n");
        else if (!ini && !strncmp(text + i, "(*", 2))
            for (n = 0; strncmp(text + i + n, "*)", 2); n++)
                line += text[i + n] == '\n';
        else if (!ini && text[i] == '"')
            n = strcspn(text + i + 1, "\"") + 2;
        else if (ini && !strncmp(text + i, "doc =", 5))
            n = strcspn(text + i, "\n");
        else if (!isspace((unsigned char)text[i])) {
            while (is_word_char(text[i]) && is_word_char(text[i + n]))
                n++;
            vec_push(a, &all, (struct piece){i, n, line});
        }
        i += n;
    }
    *out = all.items;
    return all.len;
}

/* One letter less, more, another one, or two in the wrong order; a mark is left out or doubled. */
static const char *misspelt(struct arena *a, struct rng *r, const char *word)
{
    static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz";
    size_t n = strlen(word), k = rng_below(r, n);
    char letter = alphabet[rng_below(r, sizeof alphabet - 1)];
    bool mark = !is_word_char(*word);
    switch (rng_below(r, mark ? 2 : 4)) {
    case 0:
        return arena_printf(a, "%.*s%s", (int)k, word, word + k + 1);
    case 1:
        return arena_printf(a, "%.*s%c%s", (int)k, word, mark ? *word : letter, word + k);
    case 2:
        return arena_printf(a, "%.*s%c%s", (int)k, word, letter, word + k + 1);
    default:
        if (k + 1 == n)
            return arena_printf(a, "%s%c", word, letter);
        return arena_printf(a, "%.*s%c%c%s", (int)k, word, word[k + 1], word[k], word + k + 2);
    }
}

static struct typo typo_of(struct arena *a, struct rng *r, const char *text, bool ini)
{
    struct piece *pieces;
    const struct piece *p = pieces = NULL;
    size_t n = pieces_of(a, text, ini, &pieces);
    p = &pieces[rng_below(r, n)];
    struct typo t = {.was = arena_strndup(a, text + p->at, p->len), .line = p->line};
    t.is = misspelt(a, r, t.was);
    t.text = arena_printf(a, "%.*s%s%s", (int)p->at, text, t.is, text + p->at + p->len);
    return t;
}

/* ---- litmus tests ---- */

static bool is_number(const char *s)
{
    return isdigit((unsigned char)s[*s == '-']);
}

static bool is_register(const char *s)
{
    return (*s == 'r' || *s == 't') && s[1] && !s[1 + strspn(s + 1, "0123456789")];
}

static bool is_core(const char *s)
{
    return *s == 'P' && isdigit((unsigned char)s[1]);
}

/* How often the word stands in the text, by itself. */
static int stands_in(const char *text, const char *word)
{
    size_t n = strlen(word);
    int found = 0;
    for (const char *p = text; n && (p = strstr(p, word)); p++)
        found += (p == text || !is_word_char(p[-1])) && !is_word_char(p[n]);
    return found;
}

static bool is_model(struct arena *a, const char *name)
{
    const char *const *names;
    for (size_t i = contract_list(a, "models", &names); i;)
        if (!strcmp(names[--i], name))
            return true;
    return false;
}

/* A word that means something else, here or anywhere in the language. */
static bool is_other_word(struct arena *a, const struct typo *t, const char *text)
{
    static const char *const words[] = {"all",   "s",    "v",    "m",     "u",         "mte1",
                                        "mte2",  "mte3", "fix",  "add",   "none",      "mix",
                                        "Never", "true", "line", "ranks", "Sometimes", "Always"};
    for (size_t i = 0; i < COUNT(words); i++)
        if (!strcmp(words[i], t->is))
            return true;
    const char *label = t->is + (*t->is == '-');
    return is_number(t->is) || is_register(t->is) || is_core(t->is) || litmus_op_find(t->is) ||
           stands_in(text, label) || is_model(a, t->is);
}

static bool is_declared(const struct litmus_test *t, const char *name)
{
    vec_foreach (const struct litmus_var, v, &t->tree->vars)
        if (!strcmp(v->name, name))
            return true;
    return false;
}

/* The mark ~ makes another condition; the name of the test, or of a location that only takes room,
 * is whatever it is. */
static bool tells(struct arena *a, const char *text, const struct typo *t)
{
    if (stands_in(text, t->was) == 1 && is_declared(rig_test(a, text), t->was))
        return false;
    const char *name = text + 3, *first = strstr(text, "GM ");
    size_t n = strcspn(name, " \n");
    bool named = first == text && strlen(t->was) == n && !strncmp(name, t->was, n);
    return !named && t->was[0] != '~';
}

static bool models_are_known(struct arena *a, const struct litmus_test *t)
{
    vec_foreach (const struct litmus_expect, x, &t->expects)
        if (!is_model(a, x->model))
            return false;
    return true;
}

static bool quotes(const char *message, const char *word, struct arena *a)
{
    return strstr(message, arena_printf(a, "'%s'", word + (*word == '-')));
}

static void expect_litmus_error(struct arena *a, const struct text *f, const struct typo *t)
{
    struct diag d = {.arena = a};
    const struct litmus_test *was = rig_test(a, f->text), *test = rig_parse(a, t->text, &d);
    if (test) {
        bool same = test->hash == was->hash && test->expects.len == was->expects.len;
        cr_expect(same || !models_are_known(a, test),
                  "%s:%d: '%s' for '%s' is accepted and makes another test", f->name, t->line,
                  t->is, t->was);
        return;
    }
    cr_expect(d.span.line == t->line || quotes(d.message, t->was, a),
              "%s:%d: '%s' for '%s' is reported at line %d: %s", f->name, t->line, t->is, t->was,
              d.span.line, d.message);
}

Test(typos, of_litmus_tests, .timeout = 300)
{
    struct arena a = {0};
    texts files = {0};
    struct rng r = rng_make(2026, 0);
    add_files(&a, "litmus/catalogue", ".litmus", &files);
    for (int i = 0; i < soaked(LITMUS_TYPOS); i++) {
        struct arena scratch = {0};
        const struct text *f = &files.items[rng_below(&r, files.len)];
        struct typo t = typo_of(&scratch, &r, f->text, false);
        if (strcmp(t.is, t.was) && !is_other_word(&scratch, &t, f->text) &&
            tells(&scratch, f->text, &t))
            expect_litmus_error(&scratch, f, &t);
        arena_free(&scratch);
    }
    arena_free(&a);
}

/* ---- contracts and toolchain profiles ---- */

/* The message of the error that a contract or profile of that text is, or NULL. */
static const char *load_error(struct arena *a, const char *folder, const char *suffix,
                              const char *text, struct diag *d)
{
    const char *path = arena_printf(a, "%s/typo%s", folder, suffix);
    FILE *f = fopen(path, "w");
    cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0, "cannot write %s", path);
    bool ok = !strcmp(suffix, ".model") ? contract_load(a, "models", path, d) != NULL
                                        : toolchain_load(a, "models", path, d) != NULL;
    remove(path);
    return ok ? NULL : d->message;
}

/* Another number or value of a list is another contract, which no one could tell from a typo. */
static bool is_value(const struct typo *t, const texts *files)
{
    if (is_number(t->was) || is_number(t->is))
        return true;
    for (size_t i = 0; i < files->len; i++)
        if (stands_in(files->items[i].text, t->is))
            return true;
    return false;
}

static void try_ini(struct arena *a, const char *folder, const char *suffix, const char *from,
                    int n, uint64_t seed)
{
    texts files = {0};
    struct rng r = rng_make(seed, 1);
    add_files(a, from, suffix, &files);
    for (int i = 0; i < n; i++) {
        struct arena scratch = {0};
        const struct text *f = &files.items[rng_below(&r, files.len)];
        struct typo t = typo_of(&scratch, &r, f->text, true);
        struct diag d = {.arena = &scratch};
        if (strcmp(t.is, t.was) && !is_value(&t, &files)) {
            const char *error = load_error(&scratch, folder, suffix, t.text, &d);
            cr_expect(error, "%s:%d: '%s' for '%s' is accepted", f->name, t.line, t.is, t.was);
            cr_expect(!error || d.span.line == t.line || quotes(error, t.was, &scratch),
                      "%s:%d: '%s' for '%s' is reported at line %d: %s", f->name, t.line, t.is,
                      t.was, d.span.line, error);
        }
        arena_free(&scratch);
    }
}

Test(typos, of_contracts_and_profiles, .timeout = 300)
{
    struct arena a = {0};
    char folder[] = "/tmp/fencebench-typos-XXXXXX";
    cr_assert(mkdtemp(folder), "no folder");
    try_ini(&a, folder, ".model", "models/machines", soaked(INI_TYPOS), 3);
    try_ini(&a, folder, ".toolchain", "models/toolchains", soaked(INI_TYPOS), 4);
    cr_expect(rmdir(folder) == 0);
    arena_free(&a);
}

/* What looks like a misspelt 'ranks' and is none: used, without a value, or beside the right one. */
static const char *const no_typos[] = {
    "GM t { rank = 3 } P0 ; st rank, 1 ; exists (true)",
    "GM t { rank = 3 } P0 ; nop ; exists (rank=3)",
    "GM t { rank = 3 } P0 ; nop ; locations [rank@0] exists (true)",
    "GM t { rank; x } P0 ; st x, 1 ; exists (true)",
    "GM t { rank = 3; ranks = 2 } P0 ; nop ; exists (true)",
};

Test(typos, none)
{
    struct arena a = {0};
    for (size_t i = 0; i < COUNT(no_typos); i++)
        rig_test(&a, no_typos[i]);
    arena_free(&a);
}
