/* SPDX-License-Identifier: MIT */
#include "isa/lint/lint.h"

/* What may be so of the access when it is needed, and what would make it otherwise. */
static const struct {
    const char *state, *marker;
} words[] = {
    [LINT_DRAIN] = {"may still be queued in its pipe", "drain (barrier all)"},
    [LINT_CLEAN] = {"may still be in the cache alone", "clean (cacheinvalid of the written line)"},
    [LINT_ONE_LINE] = {"may still be in the cache alone", "clean of every line that it writes"},
    [LINT_FENCE] = {"may still be in flight", "fence (dsb)"},
    [LINT_INVALIDATE] = {"may have left an old line in the cache", "invalidate (cacheinvalid)"},
};
ROW_EACH(words, LINT_RULE_COUNT);

static const char *line_text(struct arena *a, const struct program *p, const struct insn *i)
{
    return i->span.line ? arena_printf(a, " (%s)", source_line_words(a, p->source, i->span.line))
                        : "";
}

/* "pld.tile.put to win (line 12)" */
static const char *access_text(struct arena *a, const struct program *p, const struct insn *i,
                               int region)
{
    const char *to = insn_any(i, CLASS_STORE) ? " to " : " of ";
    return arena_printf(a, "%s%s%s%s", i->what ? i->what : insn_op_name(insn_acts(i)),
                        region < 0 ? "" : to, region < 0 ? "" : p->regions[region].name,
                        line_text(a, p, i));
}

static const char *place_text(struct arena *a, const struct insn *i)
{
    if (insn_acts(i) == I_END)
        return "the end of the task";
    if (i->flags & INSN_NOTIFY)
        return arena_printf(a, "this %s", i->what ? i->what : "notify");
    return arena_printf(a, "this %s", i->what ? i->what : insn_op_name(insn_acts(i)));
}

const char *lint_text(struct arena *a, const struct program *p, const struct lint_finding *f)
{
    const struct insn *insns = p->cores[f->core].code->insns;
    const char *only = f->partial < 0 ? ""
                                      : arena_printf(a, "; the cacheinvalid%s handles one line",
                                                     line_text(a, p, &insns[f->partial]));
    return arena_printf(a, "%s: %s %s at %s: %s%s", lint_rule_name(f->rule),
                        access_text(a, p, &insns[f->access], f->region), words[f->rule].state,
                        place_text(a, &insns[f->at]), words[f->rule].marker, only);
}
