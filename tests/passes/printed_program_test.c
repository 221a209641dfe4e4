/* SPDX-License-Identifier: MIT */
/*
 * A program in the form that the compiler prints (pypto-facts 1.6), at three places of its
 * pipeline: a pass of the same name turns one into the next, and all passes take each.
 */
#include "ir/equal.h"
#include "ir/print.h"
#include "tests/passes/transform_rig.h"

static const struct ir_program *program(struct arena *a, const char *name)
{
    struct diag d = {.arena = a};
    const struct source *src =
        source_read(a, arena_printf(a, "tests/passes/programs/%s.py", name), &d);
    cr_assert(src, "%s", diag_text(&d, a));
    return transform_parse(a, name, src->text);
}

static void expect_same(struct arena *a, const char *name, const struct ir_program *actual,
                        const struct ir_program *expected)
{
    cr_expect(ir_equal(actual, expected) && ir_hash(actual) == ir_hash(expected), "%s:\n%s", name,
              ir_print(a, actual));
    expect_text(name, ir_print(a, actual), ir_print(a, expected));
}

Test(printed_program, a_pass_gives_what_the_compiler_printed_behind_it)
{
    static const struct {
        const char *before, *pass, *after;
    } cases[] = {
        {"decode_no_ctx", "MaterializeDistTensorCtx", "decode_before"},
        {"decode_before", "MaterializeDistTensorCtx", "decode_before"},
        {"decode_before", "InsertCommFence", "decode_after"},
        {"decode_after", "InsertCommFence", "decode_after"},
        {"decode_before", "Simplify", "decode_before"},
        {"decode_after", "Simplify", "decode_after"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena a = {0};
        const char *name = arena_printf(&a, "%s of %s", cases[i].pass, cases[i].before);
        expect_same(&a, name,
                    transform_run(&a, name, program(&a, cases[i].before), &cases[i].pass, 1),
                    program(&a, cases[i].after));
        arena_free(&a);
    }
}

/* No editing by hand, wherever in the pipeline the text was printed. Before the contexts are bound,
 * the host's loop is one that can be grouped, and so it is marked. */
Test(printed_program, all_passes_take_it)
{
    static const char *const names[] = {"decode_before", "decode_after"};
    struct arena a = {0};
    const struct ir_program *last =
        transform_run(&a, "decode_after", program(&a, "decode_after"), NULL, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect_same(&a, names[i], transform_run(&a, names[i], program(&a, names[i]), NULL, 0),
                    last);
    expect_same(&a, "again", transform_run(&a, "again", last, NULL, 0), last);
    const struct ir_program *grouped =
        transform_run(&a, "decode_no_ctx", program(&a, "decode_no_ctx"), NULL, 0);
    cr_expect(strstr(ir_print(&a, grouped), "attrs={\"group_dispatch\": True}"));
    cr_expect(!strstr(ir_print(&a, last), "group_dispatch"));
    arena_free(&a);
}
