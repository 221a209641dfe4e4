/* SPDX-License-Identifier: MIT */
/*
 * A program in the form that the compiler prints (pypto-facts 1.6), at three places of its
 * pipeline. The cases program_decode* say that a pass turns one into the next; all passes take each.
 */
#include "ir/equal.h"
#include "ir/print.h"
#include "tests/passes/transform_rig.h"

static const char no_ctx[] = "tests/cases/materialize_dist_tensor_ctx/program_decode.before.py",
                  before[] = "tests/cases/insert_comm_fence/program_decode.before.py",
                  after[] = "tests/cases/insert_comm_fence/program_decode.after.py";

static const struct ir_program *program(struct arena *a, const char *path)
{
    struct diag d = {.arena = a};
    const struct source *src = source_read(a, path, &d);
    cr_assert(src, "%s", diag_text(&d, a));
    return transform_parse(a, path, src->text);
}

static const struct ir_program *all_passes(struct arena *a, const char *path)
{
    return transform_run(a, path, program(a, path), NULL, 0);
}

static void expect_same(struct arena *a, const char *name, const struct ir_program *actual,
                        const struct ir_program *expected)
{
    cr_expect(ir_equal(actual, expected) && ir_hash(actual) == ir_hash(expected), "%s:\n%s", name,
              ir_print(a, actual));
    expect_text(name, ir_print(a, actual), ir_print(a, expected));
}

/* No editing by hand, wherever in the pipeline the text was printed. Before the contexts are bound,
 * the host's loop is one that can be grouped, and so it is marked. */
Test(printed_program, all_passes_take_it)
{
    struct arena a = {0};
    const struct ir_program *last = all_passes(&a, after);
    expect_same(&a, before, all_passes(&a, before), last);
    expect_same(&a, "again", transform_run(&a, "again", last, NULL, 0), last);
    cr_expect(strstr(ir_print(&a, all_passes(&a, no_ctx)), "attrs={\"group_dispatch\": True}"));
    cr_expect(!strstr(ir_print(&a, last), "group_dispatch"));
    arena_free(&a);
}
