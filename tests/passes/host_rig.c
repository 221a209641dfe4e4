/* SPDX-License-Identifier: MIT */
#include "tests/passes/host_rig.h"

#include "ir/parse.h"
#include "passes/pass.h"
#include "tests/case_files.h"

const struct ir_program *host_program(struct arena *a, const char *name, const char *body)
{
    struct diag d = {.arena = a};
    const struct source *text = source_from_string(a, "host.py", framed_text(a, "host", body));
    const struct ir_program *p = ir_parse(a, text, &d);
    cr_assert(p, "%s: %s", name, diag_text(&d, a));
    return p;
}

enum { MAX_PASSES = 8 };

const struct ir_program *host_run(struct arena *a, const char *name, const char *passes,
                                  const struct ir_program *p)
{
    const char *names[MAX_PASSES];
    size_t n = 0;
    char *list = arena_strdup(a, passes), *rest;
    for (char *pass = strtok_r(list, ",", &rest); pass; pass = strtok_r(NULL, ",", &rest)) {
        cr_assert(n < MAX_PASSES);
        names[n++] = pass;
    }
    struct diag d = {.arena = a};
    struct pass_options o = PASS_OPTIONS_DEFAULT;
    o.verify_each = true;
    const struct ir_program *out = passes_run(a, p, names, n, &o, NULL, &d);
    cr_assert(out, "%s: %s", name, diag_text(&d, a));
    return out;
}
