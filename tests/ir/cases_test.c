/* SPDX-License-Identifier: MIT */
/* The cases of tests/cases/parse: a text, and what is printed of it or the one error that it has. */
#include "ir/equal.h"
#include "tests/case_files.h"
#include "tests/ir/helpers.h"

static void answer(struct case_file *c, void *ctx)
{
    (void)ctx;
    struct diag d = {.arena = c->arena};
    const struct ir_program *p = ir_parse(c->arena, c->source, &d);
    cr_expect((p == NULL) == d.failed, "%s: an error and only an error is reported", c->path);
    if (!p) {
        case_answer_error(c, &d);
        return;
    }
    expect_round_trip(c->path, p);
    case_answer(c, ".after.py", case_shown(c, ir_print(c->arena, p)));
}

Test(cases, parse)
{
    cr_expect(expect_cases("parse", answer, NULL));
}
