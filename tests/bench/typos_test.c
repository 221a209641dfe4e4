/* SPDX-License-Identifier: MIT */
/*
 * Typos on the command line and in kernels: one letter of one argument, or of one name, is wrong.
 * The command then refuses with one error and prints nothing, or does exactly what it would have
 * done without the typo (an option may be cut short).
 */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/rng.h"
#include "base/vec.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

enum { TYPOS = 250 };

/* Options with their values as the manual has them, on inputs that are quick. */
static const char *const commands[] = {
    "litmus --explore --model=a2a3,sc --show=prop litmus/catalogue/h01-stale-line",
    "litmus --driver=random --runs=9 --seed=4 --kinds litmus/catalogue/h02-dirty-store",
    "litmus --explore --remove=inv --log=herd "
    "litmus/catalogue/h09-batched-waits/H09-one-invalidate-after-all.litmus",
    "litmus --explore --table --model=all --toolchain=ptoas-0.52 litmus/catalogue/recipe",
    "equiv --model=weakest --observe=1:r0 "
    "litmus/catalogue/h21-invalidate-writes-back/H21-clean-before-grant.litmus "
    "litmus/catalogue/h21-invalidate-writes-back/H21-dirty-line-over-payload.litmus",
    "generate --cycle=MP --home=third",
    "models --json",
    "ops --incore tile.load pl.add",
    "rules --json",
    "passes --json",
    "check --model=sc --markers=on --batch=none --runs=5 kernels/get_plain.py",
    "compile --passes=none --toolchain=ptoas-0.57 kernels/get_plain.py",
};

struct answer {
    const char *out, *err;
    int code;
};

static const char *contents(struct arena *a, const char *path)
{
    struct diag d = {.arena = a};
    const struct source *s = source_read(a, path, &d);
    cr_assert(s, "%s", diag_text(&d, a));
    return s->text;
}

static const char *program(struct arena *a)
{
    char path[PATH_MAX];
    const char *binary = getenv("FENCEBENCH");
    cr_assert(realpath(binary ? binary : "build/fencebench", path), "no program to test");
    return arena_strdup(a, path);
}

static struct answer answer_to(struct arena *a, const char *folder, const char *args)
{
    int status = system(arena_printf(a, "timeout 60 '%s' %s >%s/out 2>%s/err </dev/null",
                                     program(a), args, folder, folder));
    return (struct answer){contents(a, arena_printf(a, "%s/out", folder)),
                           contents(a, arena_printf(a, "%s/err", folder)),
                           WIFEXITED(status) ? WEXITSTATUS(status) : 128};
}

/* Lines of seconds differ from run to run. */
static const char *without_times(struct arena *a, const char *text)
{
    char *copy = arena_strdup(a, text);
    for (char *p = copy; (p = strstr(p, "\nTime ")); p++)
        for (char *q = p + 1; *q && *q != '\n'; q++)
            *q = '.';
    return copy;
}

/* One letter less, more, another, or two in the wrong order, behind the command's name; not in a
 * number, and not in a word of the shell. */
static const char *misspelt(struct arena *a, struct rng *r, const char *line)
{
    for (;;) {
        size_t start = strcspn(line, " ") + 1, k = start + rng_below(r, strlen(line) - start);
        char letter = (char)('a' + rng_below(r, 26));
        if (!isalpha((unsigned char)line[k]))
            continue;
        switch (rng_below(r, 4)) {
        case 0:
            return arena_printf(a, "%.*s%s", (int)k, line, line + k + 1);
        case 1:
            return arena_printf(a, "%.*s%c%s", (int)k, line, letter, line + k);
        case 2:
            return arena_printf(a, "%.*s%c%s", (int)k, line, letter, line + k + 1);
        default:
            if (isalpha((unsigned char)line[k + 1]) && line[k] != line[k + 1])
                return arena_printf(a, "%.*s%c%c%s", (int)k, line, line[k + 1], line[k],
                                    line + k + 2);
        }
    }
}

static void expect_refusal(struct arena *a, const char *line, const char *typo, struct answer was,
                           struct answer is)
{
    bool same = is.code == was.code && !strcmp(without_times(a, was.out), without_times(a, is.out));
    if (same)
        return;
    cr_expect(is.code == 2 && !*is.out && *is.err,
              "fencebench %s\nfor         %s\nexit code %d\n%.*s", typo, line, is.code, 400,
              *is.err ? is.err : is.out);
}

Test(typos, of_command_lines, .timeout = 600)
{
    struct arena a = {0};
    char folder[] = "/tmp/fencebench-typos-XXXXXX";
    struct rng r = rng_make(7, 0);
    struct answer was[COUNT(commands)];
    cr_assert(mkdtemp(folder), "no folder");
    for (size_t i = 0; i < COUNT(commands); i++) {
        was[i] = answer_to(&a, folder, commands[i]);
        cr_assert(was[i].code < 2 && *was[i].out, "fencebench %s: %s", commands[i], was[i].err);
    }
    for (int i = 0; i < soaked(TYPOS); i++) {
        struct arena scratch = {0};
        size_t k = rng_below(&r, COUNT(commands));
        const char *typo = misspelt(&scratch, &r, commands[k]);
        if (strcmp(typo, commands[k]))
            expect_refusal(&scratch, commands[k], typo, was[k], answer_to(&scratch, folder, typo));
        arena_free(&scratch);
    }
    cr_expect(system(arena_printf(&a, "rm -r '%s'", folder)) == 0);
    arena_free(&a);
}

/* ---- kernels ---- */

enum { KERNEL_TYPOS = 120 };

static const char *const kernels[] = {"get_plain", "allgather_put", "scalar_publish",
                                      "local_read_credit"};

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* How often a name stands in a text by itself. */
static int stands_in(const char *text, const char *name)
{
    size_t n = strlen(name);
    int found = 0;
    for (const char *p = text; n && (p = strstr(p, name)); p++)
        found += (p == text || !is_name_char(p[-1])) && !is_name_char(p[n]);
    return found;
}

/* A name in the code, not in a comment or a string of one line. */
struct name {
    size_t at, len;
    int line;
};

static size_t names_of(struct arena *a, const char *text, struct name **out)
{
    VEC(struct name) all = {0};
    int line = 1;
    for (size_t i = 0; text[i];) {
        size_t n = 1;
        if (text[i] == '\n')
            line++;
        else if (text[i] == '#')
            n = strcspn(text + i, "\n");
        else if (!strncmp(text + i, "\"\"\"", 3)) {
            n = (size_t)(strstr(text + i + 3, "\"\"\"") - (text + i)) + 3;
            for (size_t k = 0; k < n; k++)
                line += text[i + k] == '\n';
        } else if (text[i] == '"')
            n = strcspn(text + i + 1, "\"") + 2;
        else if (is_name_char(text[i])) {
            while (is_name_char(text[i + n]))
                n++;
            if (isalpha((unsigned char)text[i]))
                vec_push(a, &all, (struct name){i, n, line});
        }
        i += n;
    }
    *out = all.items;
    return all.len;
}

static void expect_kernel_error(struct arena *a, const char *folder, const char *kernel,
                                const char *text, struct rng *r, struct answer was)
{
    struct name *names;
    size_t count = names_of(a, text, &names);
    const struct name *n = &names[rng_below(r, count)];
    const char *word = arena_strndup(a, text + n->at, n->len);
    /* misspelt() leaves the first word of a line alone */
    const char *typo = misspelt(a, r, arena_printf(a, "- %s", word)) + 2;
    const char *path = arena_printf(a, "%s/typo.py", folder);
    FILE *f = fopen(path, "w");
    cr_assert(f && fprintf(f, "%.*s%s%s", (int)n->at, text, typo, text + n->at + n->len) >= 0 &&
                  fclose(f) == 0,
              "cannot write %s", path);
    struct answer is = answer_to(a, folder, arena_printf(a, "compile %s", path));
    /* A name that stands once is its own; another name of the kernel is another program. */
    bool once = stands_in(text, word) == 1 && is.code == 0;
    if (!strcmp(is.out, was.out) || once || stands_in(text, typo))
        return;
    if (is.code == 0) /* a name without a value is one only when something runs */
        is = answer_to(a, folder, arena_printf(a, "check --runs=1 --model=sc %s", path));
    /* Any other operator of pl is opaque, as it is to the compiler; what a result is called that
     * nothing reads is Python's business; a name in a shape is an extent that --arg may bind. */
    const char *behind = text + n->at + n->len;
    bool opaque = n->at > 3 && !strncmp(text + n->at - 3, "pl.", 3) && *behind == '(',
         assigned = !strncmp(behind, " = ", 3), extent = isupper((unsigned char)word[1]);
    if (opaque || assigned || extent)
        return;
    const char *place = arena_printf(a, "typo.py:%d:", n->line);
    /* a constant that lost its value is named where it is missed */
    size_t start = n->at;
    while (start && text[start - 1] != '\n')
        start--;
    size_t first = 0;
    while (is_name_char(text[start + first]))
        first++;
    const char *constant = arena_printf(a, "'%.*s'", (int)first, text + start);
    bool missed = first && strstr(is.err, constant);
    bool found = missed || strstr(is.err, place) || strstr(is.err, arena_printf(a, "'%s'", word));
    cr_expect(is.code == 2 && !*is.out && found, "%s:%d: '%s' for '%s': exit code %d\n%.*s", kernel,
              n->line, typo, word, is.code, 400, is.err);
}

Test(typos, of_kernels, .timeout = 600)
{
    struct arena a = {0};
    char folder[] = "/tmp/fencebench-typos-XXXXXX";
    struct rng r = rng_make(11, 0);
    cr_assert(mkdtemp(folder), "no folder");
    for (size_t k = 0; k < COUNT(kernels); k++) {
        const char *path = arena_printf(&a, "kernels/%s.py", kernels[k]);
        const char *text = contents(&a, path);
        struct answer was = answer_to(&a, folder, arena_printf(&a, "compile %s", path));
        for (int i = 0; i < soaked(KERNEL_TYPOS / (int)COUNT(kernels)); i++) {
            struct arena scratch = {0};
            expect_kernel_error(&scratch, folder, path, text, &r, was);
            arena_free(&scratch);
        }
    }
    cr_expect(system(arena_printf(&a, "rm -r '%s'", folder)) == 0);
    arena_free(&a);
}

/* ---- compiled kernels ---- */

static const char *const compiled[] = {"put_ring", "scalar_publish", "remote_store_push"};

/* Words that the dialect knows: not those of the compiler's places, of values and functions, of strings and of extents. */
static size_t words_of(struct arena *a, const char *text, struct name **out)
{
    VEC(struct name) all = {0};
    int line = 1;
    for (size_t i = 0; text[i];) {
        size_t n = 1;
        char before = i ? text[i - 1] : '\n';
        if (text[i] == '\n')
            line++;
        else if (text[i] == '"')
            n = strcspn(text + i + 1, "\"") + 2;
        else if (!strncmp(text + i, "loc(", 4))
            n = strcspn(text + i, "\n");
        else if (is_name_char(text[i])) {
            while (is_name_char(text[i + n]))
                n++;
            if (isalpha((unsigned char)text[i]) && !strchr("%@?", before))
                vec_push(a, &all, (struct name){i, n, line});
        }
        i += n;
    }
    *out = all.items;
    return all.len;
}

/* Any name of an operation that works on tiles alone may be one of a newer dialect (docs/pto.md). */
static bool names_tile_operation(struct arena *a, const char *text, const struct name *n)
{
    const char *line = arena_strndup(a, text + n->at, strcspn(text + n->at, "\n"));
    return n->at >= 4 && !strncmp(text + n->at - 4, "pto.", 4) && strstr(line, " ins(") &&
           !strstr(line, "partition");
}

static void expect_compiled_error(struct arena *a, const char *folder, const char *text,
                                  struct rng *r)
{
    struct name *names;
    size_t count = words_of(a, text, &names);
    const struct name *n = &names[rng_below(r, count)];
    const char *word = arena_strndup(a, text + n->at, n->len),
               *typo = misspelt(a, r, arena_printf(a, "- %s", word)) + 2,
               *path = arena_printf(a, "%s/typo.pto", folder);
    static const char values[] =
        " nd dn nz eq ne gt ge lt le i1 i8 i16 si8 ui8 si32 ui32 si64 ui64 ";
    if (stands_in(text, typo) || stands_in(values, typo))
        return; /* another word of the dialect */
    if (*typo == 't' && names_tile_operation(a, text, n))
        return;
    FILE *f = fopen(path, "w");
    cr_assert(f && fprintf(f, "%.*s%s%s", (int)n->at, text, typo, text + n->at + n->len) >= 0 &&
                  fclose(f) == 0,
              "cannot write %s", path);
    struct answer is = answer_to(a, folder, arena_printf(a, "compile --emit=asm %s", path));
    bool at_line = strstr(is.err, arena_printf(a, "typo.pto:%d:", n->line)) != NULL,
         named = strstr(is.err, arena_printf(a, "'%s'", word)) != NULL;
    cr_expect(is.code == 2 && !*is.out && (at_line || named),
              "line %d: '%s' for '%s': exit code %d\n%.*s", n->line, typo, word, is.code, 400,
              is.err);
}

Test(typos, of_compiled_kernels, .timeout = 300)
{
    struct arena a = {0};
    char folder[] = "/tmp/fencebench-typos-XXXXXX";
    struct rng r = rng_make(12, 0);
    cr_assert(mkdtemp(folder), "no folder");
    for (size_t k = 0; k < COUNT(compiled); k++) {
        const char *text =
            answer_to(&a, folder,
                      arena_printf(&a, "compile -P 2 --emit=pto kernels/%s.py", compiled[k]))
                .out;
        for (int i = 0; i < soaked(KERNEL_TYPOS / (int)COUNT(compiled)); i++) {
            struct arena scratch = {0};
            expect_compiled_error(&scratch, folder, text, &r);
            arena_free(&scratch);
        }
    }
    cr_expect(system(arena_printf(&a, "rm -r '%s'", folder)) == 0);
    arena_free(&a);
}

/* Directives: of a kernel, of a compiled one, and of the file beside it. */
static const struct {
    const char *name, *line, *says;
} directives[] = {
    {"k.py", "# fencebnech: ranks 2", "did you mean '# fencebench:'?"},
    {"k.py", "# fencebench: rnaks 2", "did you mean 'ranks'?"},
    {"k.py", "# fencebench: arg peeer=rank", "no program has a parameter or constant 'peeer'"},
    {"k.pto", "// fencebnch: ranks 2", "did you mean '// fencebench:'?"},
    {"k.pto", "// fencebench: windw arg0", "did you mean 'window'?"},
    {"k.pto", "// fencebench: window ag0", "no function has an argument 'ag0'"},
    {"k.pto.bind", "// fencebench: size arg99=4", "no function has an argument 'arg99'"},
};

Test(typos, of_directives, .timeout = 60)
{
    struct arena a = {0};
    char folder[] = "/tmp/fencebench-typos-XXXXXX";
    cr_assert(mkdtemp(folder), "no folder");
    for (size_t i = 0; i < COUNT(directives); i++) {
        const char *name = directives[i].name;
        cr_assert(
            system(arena_printf(&a,
                                "rm -f %s/k.*; cp kernels/put_ring.py %s/k.py && '%s' compile -P 2 "
                                "--emit=pto -o %s/k.pto %s/k.py && echo '%s' >> %s/%s",
                                folder, folder, program(&a), folder, folder, directives[i].line,
                                folder, name)) == 0);
        struct answer is = answer_to(&a, folder,
                                     arena_printf(&a, "check --runs=1 %s/k%s", folder,
                                                  strstr(name, ".pto") ? ".pto" : ".py"));
        cr_expect(is.code == 2 && strstr(is.err, directives[i].says) &&
                      strstr(is.err, arena_printf(&a, "/%s:", name)),
                  "%s: exit code %d\n%s", directives[i].line, is.code, is.err);
    }
    cr_expect(system(arena_printf(&a, "rm -r '%s'", folder)) == 0);
    arena_free(&a);
}
