/* SPDX-License-Identifier: MIT */
/* The cases of tests/cases/parse: a text, and what is printed of each of its programs or the one
 * error that it has. `# test: arg=NAME=VALUE` gives a value, `ranks=N` a number of ranks, and
 * `program=NAME` takes one program. */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "ir/equal.h"
#include "tests/case_files.h"
#include "tests/ir/helpers.h"

static struct ir_outside outside_of(struct case_file *c)
{
    const char *arg = case_option(c, "arg"), *ranks = case_option(c, "ranks");
    struct ir_outside out = {.n = arg != NULL, .nranks = ranks ? atoi(ranks) : 0};
    struct ir_given *given = arena_new(c->arena, struct ir_given);
    if (arg) {
        size_t len = strcspn(arg, "=");
        *given = (struct ir_given){arena_strndup(c->arena, arg, len),
                                   arg + len + 1,
                                   source_from_string(c->arena, "--arg", arg),
                                   {1, (int)len + 2, (int)strlen(arg + len + 1)}};
    }
    out.given = given;
    return out;
}

static ir_units units_of(struct case_file *c, const struct ir_file *f, struct diag *d)
{
    ir_units units = {0};
    const char *name = case_option(c, "program");
    if (name)
        ir_file_choose(c->arena, f, name, &units, d);
    return name ? units : f->units;
}

static void add_program(struct case_file *c, struct ir_file *f, const struct ir_unit *u,
                        struct strbuf *out, struct diag *d)
{
    struct ir_outside outside = outside_of(c);
    const struct ir_program *p = ir_parse_unit(c->arena, f, u, &outside, d);
    if (!p)
        return;
    expect_round_trip(c->path, p);
    if (f->units.len > 1)
        strbuf_addf(out, "# ---- program %s\n", u->path);
    strbuf_add(out, case_shown(c, ir_print(c->arena, p)));
}

static void answer(struct case_file *c, void *ctx)
{
    (void)ctx;
    struct diag d = {.arena = c->arena};
    struct strbuf out = strbuf_make(c->arena);
    struct ir_file *f = ir_file_read(c->arena, c->source, &d);
    ir_units units = f ? units_of(c, f, &d) : (ir_units){0};
    for (size_t i = 0; i < units.len && !d.failed; i++)
        add_program(c, f, &units.items[i], &out, &d);
    if (d.failed)
        case_answer_error(c, &d);
    else
        case_answer(c, ".after.py", out.text);
}

Test(cases, parse)
{
    cr_expect(expect_cases("parse", answer, NULL));
}
