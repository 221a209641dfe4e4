/* SPDX-License-Identifier: MIT */
/*
 * What the real compiler printed after each of its passes, where the texts lie beside the
 * repository (pypto-front-facts 0): a pass of ours makes of the program in front of a pass of the
 * same name the program behind it. Without those texts there is nothing to compare, and the tests
 * of each pass have examples of their own.
 */
#include <glob.h>
#include <stdio.h>

#include "base/strbuf.h"
#include "ir/equal.h"
#include "ir/print.h"
#include "tests/passes/transform_rig.h"

static const char texts[] = "../shared/oracle/*/*.out";

/* Programs that a pass turned into others, and how many of them ours turns into the same. */
struct score {
    size_t programs, equal, same_names;
};

/* The block that starts behind a line "---- title"; *next is the line of the one behind it. */
static const char *block_text(struct arena *a, const char *block, const char **next)
{
    const char *end = strstr(block, "\n---- "), *program = strstr(block, "\n######## ");
    *next = end && (!program || end < program) ? end + 1 : NULL;
    if (program && (!end || program < end))
        end = program;
    return arena_strndup(a, block, end ? (size_t)(end + 1 - block) : strlen(block));
}

static void compare(const char *pass, const char *before, const char *after, const char *name,
                    struct score *s)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const struct pass_options o = {.batch = PASS_BATCH_NONE, .markers = true, .verify_each = true};
    const struct ir_program *p = transform_parse(&a, name, before),
                            *expected = transform_parse(&a, name, after),
                            *made = passes_run(&a, p, &pass, 1, &o, NULL, &d);
    struct ir_difference difference = {.arena = &a};
    s->programs++;
    cr_expect(made, "%s: %s", name, diag_text(&d, &a));
    if (made) {
        bool equal = ir_compare(made, expected, &difference);
        cr_expect(equal, "%s: %s", name, difference.words);
        s->equal += equal;
        s->same_names += strcmp(ir_print(&a, made), ir_print(&a, expected)) == 0;
    }
    arena_free(&a);
}

/* Compares where the file has a block behind the pass. */
static void compare_file(const char *pass, const char *path, struct score *s)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const struct source *file = source_read(&a, path, &d);
    cr_assert(file, "%s", diag_text(&d, &a));
    const char *title = arena_printf(&a, "---- after %s\n", pass), *before = NULL;
    for (const char *line = strstr(file->text, "---- "); line;) {
        const char *start = strchr(line, '\n') + 1, *next;
        const char *text = block_text(&a, start, &next);
        if (before && strncmp(line, title, strlen(title)) == 0)
            compare(pass, before, text, path, s);
        before = text;
        line = next ? next : strstr(start, "\n---- ");
        line += line && *line == '\n';
    }
    arena_free(&a);
}

/* Programs of the texts, so that an empty folder or a wrong reader would show. */
enum { COMPOSITES = 12 };

Test(oracle, lower_composite_ops)
{
    glob_t found;
    struct score s = {0};
    if (glob(texts, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        compare_file("LowerCompositeOps", found.gl_pathv[i], &s);
    globfree(&found);
    cr_expect(s.programs >= COMPOSITES, "only %zu programs", s.programs);
    cr_expect_eq(s.same_names, s.programs, "%zu of %zu programs with the same names", s.same_names,
                 s.programs);
}
