/* SPDX-License-Identifier: MIT */
#include "tests/passes/transform_rig.h"

#include "ir/print.h"
#include "ir/parse.h"
#include "ir/verify.h"
#include "passes/pass.h"
#include "tests/support.h"

const char transform_imports[] = "import pypto.language as pl\n"
                                 "import pypto.language.distributed as pld\n";

const struct ir_program *transform_parse(struct arena *a, const char *name, const char *text)
{
    struct diag d = {.arena = a};
    const struct ir_program *p = ir_parse(a, source_from_string(a, "t.py", text), &d);
    cr_assert(p && verify_program(p, &d), "%s: %s\n%s", name, diag_text(&d, a), text);
    return p;
}

const struct ir_program *transform_run(struct arena *a, const char *name,
                                       const struct ir_program *p, const char *const *names,
                                       size_t n)
{
    static const struct pass_options checked = {
        .batch = PASS_BATCH_LOOPS, .markers = true, .verify_each = true};
    struct diag d = {.arena = a};
    const struct ir_program *out = passes_run(a, p, names, n, &checked, NULL, &d);
    cr_assert(out, "%s: %s\n%s", name, diag_text(&d, a), ir_print(a, p));
    return out;
}
