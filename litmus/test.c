/* SPDX-License-Identifier: MIT */
#include "litmus/test.h"

#include <inttypes.h>
#include <string.h>
#include <xxhash.h>

#include "base/table.h"
#include "litmus/print.h"

/* ---- names ---- */

static const struct {
    const char *name, *kind;
} quantifiers[] = {[LITMUS_EXISTS] = {"exists", "Allowed"},
                   [LITMUS_NOT_EXISTS] = {"~exists", "Forbidden"},
                   [LITMUS_FORALL] = {"forall", "Required"}};
ROW_EACH(quantifiers, LITMUS_QUANTIFIER_COUNT);

const char *litmus_quantifier_name(enum litmus_quantifier q)
{
    return quantifiers[q].name;
}

const char *litmus_kind_name(enum litmus_quantifier q)
{
    return quantifiers[q].kind;
}

const char *litmus_verdict_name(enum litmus_verdict v)
{
    static const char *const verdicts[] = {LITMUS_VERDICTS(NAME_ROW)};
    return verdicts[v];
}

enum litmus_verdict litmus_verdict_of(uint64_t with, uint64_t without)
{
    if (!with && !without)
        return LITMUS_UNKNOWN;
    return !with ? LITMUS_NEVER : without ? LITMUS_SOMETIMES : LITMUS_ALWAYS;
}

/* ---- final states ---- */

static int32_t value_in(const struct litmus_cond *c, const struct machine *m)
{
    int32_t v;
    const struct core *core = &m->cores[c->core];
    if (c->kind == LITMUS_REG)
        return (int32_t)core->regs[c->reg];
    const void *from = c->kind == LITMUS_TILE ? core->tiles + core->code->tiles[c->reg].offset
                                              : m->gm[gm_rank(c->addr)] + gm_offset(c->addr);
    memcpy(&v, from, sizeof v);
    return v;
}

bool litmus_holds(const struct litmus_cond *c, const struct machine *m, bool deadlock)
{
    switch (c->kind) {
    case LITMUS_TRUE:
        return true;
    case LITMUS_DEADLOCK:
        return c->value == deadlock;
    case LITMUS_AND:
        return litmus_holds(c->lhs, m, deadlock) && litmus_holds(c->rhs, m, deadlock);
    case LITMUS_OR:
        return litmus_holds(c->lhs, m, deadlock) || litmus_holds(c->rhs, m, deadlock);
    case LITMUS_NOT:
        return !litmus_holds(c->lhs, m, deadlock);
    default:
        return c->value == value_in(c, m);
    }
}

bool litmus_counts(const struct litmus_test *t, const struct machine *m, bool deadlock)
{
    return !t->filter || litmus_holds(t->filter, m, deadlock);
}

const char *litmus_state(const struct litmus_test *t, const struct machine *m, bool deadlock,
                         struct arena *a)
{
    struct strbuf b = strbuf_make(a);
    vec_foreach (const struct litmus_cond *, c, &t->observed)
        strbuf_addf(&b, "%s%s=%" PRId32 ";", b.len ? " " : "", (*c)->name, value_in(*c, m));
    if (deadlock)
        strbuf_addf(&b, "%sdeadlock=1;", b.len ? " " : "");
    return b.text;
}

/* ---- contracts ---- */

static bool uses_cache(const struct insn *i)
{
    return insn_kind(i)->address == ADDRESS_WORD && insn_any(i, CLASS_CACHED);
}

/* Lines that some core's instructions can bring into its cache, at the most. */
static int lines_named(const struct program *p, int line)
{
    int most = 1;
    for (int c = 0; c < p->ncores; c++) {
        const struct code *code = p->cores[c].code;
        int n = 0;
        for (int i = 0; i < code->count; i++) {
            bool fresh = uses_cache(&code->insns[i]);
            for (int k = 0; k < i && fresh; k++)
                fresh = !uses_cache(&code->insns[k]) ||
                        code->insns[k].imm / line != code->insns[i].imm / line;
            n += fresh;
        }
        most = n > most ? n : most;
    }
    return most;
}

const struct contract *litmus_contract(struct arena *a, const struct contract *k,
                                       const struct litmus_test *t)
{
    struct contract *c = arena_dup(a, k, sizeof *k);
    c->pipe_depth = 1;
    for (int i = 0; i < t->program->ncores; i++)
        if (t->program->cores[i].code->count > c->pipe_depth)
            c->pipe_depth = t->program->cores[i].code->count;
    c->task_entry_invalidate = TASK_KEEPS_CACHE;
    c->ways = lines_named(t->program, k->line);
    c->cache_bytes = c->ways * k->line;
    return c;
}

/* ---- the whole test ---- */

static uint64_t hash_of(struct arena *a, const struct litmus_test *t)
{
    struct strbuf b = strbuf_make(a);
    litmus_print_body(&b, t, false);
    strbuf_add(&b, t->toolchain->name);
    return XXH3_64bits(b.text, b.len);
}

void litmus_finish(struct arena *a, struct litmus_test *t)
{
    size_t site = 0, label = 0;
    t->program = litmus_lower(a, t->name, t->source, t->tree, t->toolchain);
    vec_foreach (const struct litmus_column, c, &t->tree->columns)
        vec_foreach (const struct litmus_insn, i, &c->insns) {
            for (label = 0; i->label && label < t->labels.len; label++)
                if (!strcmp(t->labels.items[label].name, i->label))
                    t->labels.items[label].site = (int)site;
            site++;
        }
    t->hash = hash_of(a, t);
}

const struct litmus_test *litmus_without(struct arena *a, const struct litmus_test *t,
                                         const char *label)
{
    struct litmus_test *v = arena_dup(a, t, sizeof *t);
    bool *removed = arena_array(a, bool, (size_t)t->program->nsites + 1);
    vec_foreach (const struct litmus_label, l, &t->labels)
        removed[l->site] |= !strcmp(l->name, label);
    v->program = program_without(t->program, removed, a);
    v->name = v->program->name = arena_printf(a, "%s-%s", t->name, label);
    v->hash = XXH3_64bits_withSeed(removed, sizeof *removed * (size_t)t->program->nsites, t->hash);
    return v;
}
