/* SPDX-License-Identifier: MIT */
#include "passes/refusals.h"

#include <stdarg.h>

#include "base/table.h"
#include "ir/rules.h"

static const struct {
    const char *name, *message;
} refusals[] = {
#define ROW(id, name, message) [REFUSE_##id] = {name, message},
    PASS_REFUSALS(ROW)
#undef ROW
};
ROW_EACH(refusals, REFUSE_COUNT);

bool pass_refuse(struct diag *d, const struct ir_program *p, enum pass_refusal refusal,
                 struct span at, ...)
{
    va_list strings;
    va_start(strings, at);
    const char *text =
        ir_rule_fill(d->arena, refusals[refusal].message, refusals[refusal].name, strings);
    va_end(strings);
    return diag_error(d, p->source, at, "%s", text);
}
