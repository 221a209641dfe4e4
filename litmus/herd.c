/* SPDX-License-Identifier: MIT */
#include "litmus/herd.h"

#include <ctype.h>
#include <string.h>

#include "base/strbuf.h"
#include "litmus/print.h"
#include "litmus/tree.h"

/* ---- names of locations ---- */

/* Words of their grammar of conditions that a name of ours may be. */
static const char *const words[] = {
    "NOP",       "nop",      "pac",      "pacda",    "pacdb",  "pacia",  "pacib",   "not",
    "false",     "observed", "Observed", "and",      "exists", "forall", "final",   "with",
    "locations", "filter",   "fault",    "Fault",    "tag",    "TAG",    "attrs",   "Attrs",
    "oa",        "PTE",      "TTD",      "PA",       "SS",     "SSCap",  "_Atomic", "ATOMIC_INIT",
    "parel1_t",  "PAREL1_T", "__int128", "__uint128"};

/* A state line that starts with one of them would end the states. */
static const char *const verdicts[] = {"Undef", "Succeeded", "Failed", "Ok", "No"};

/* P0 is a core. */
static bool is_core(const char *s)
{
    return s[0] == 'P' && s[1] && !s[1 + strspn(s + 1, "0123456789")];
}

static bool is_taken(const char *s)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(s, words[i]))
            return true;
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
        if (!strncmp(s, verdicts[i], strlen(verdicts[i])))
            return true;
    return is_core(s);
}

static bool is_declared(const struct litmus_test *t, const char *name)
{
    vec_foreach (const struct litmus_var, v, &t->tree->vars)
        if (!strcmp(v->name, name))
            return true;
    return false;
}

/* NAME [INDEX] @RANK, with the rank as part of the name. */
static const char *location_name(struct arena *a, const struct litmus_test *t, const char *name)
{
    size_t base = strcspn(name, "[@");
    const char *rank = strchr(name, '@'), *own = arena_strndup(a, name, base);
    size_t index = rank ? (size_t)(rank - name) - base : strlen(name) - base;
    const char *s = rank ? arena_printf(a, "%s.%s", own, rank + 1) : own;
    while (is_taken(s) || (strcmp(s, own) && is_declared(t, s)))
        s = arena_printf(a, "_%s", s);
    return arena_printf(a, "%s%.*s", s, (int)index, name + base);
}

/* RANK [.CORE] [.LANE] :REGISTER, with the core as part of the register. */
static const char *register_name(struct arena *a, const char *name)
{
    size_t rank = strcspn(name, ".:"), core = strcspn(name, ":");
    const char *reg = name + core + 1;
    if (rank == core)
        return name;
    const char *which = name + rank + 1;
    return arena_printf(a, "%.*s:%s%.*s.%s", (int)rank, name,
                        isdigit((unsigned char)*which) ? "c" : "", (int)(core - rank - 1), which,
                        reg);
}

const char *litmus_herd_name(struct arena *a, const struct litmus_test *t,
                             const struct litmus_cond *atom)
{
    switch (atom->kind) {
    case LITMUS_REG:
    case LITMUS_TILE:
        return register_name(a, atom->name);
    case LITMUS_MEM:
        return location_name(a, t, atom->name);
    default:
        return atom->name;
    }
}

/* ---- states and conditions ---- */

/* A state has the values of the observed names in their order, and then perhaps its deadlock. */
const char *litmus_herd_state(struct arena *a, const struct litmus_test *t, const char *state)
{
    struct strbuf b = strbuf_make(a);
    vec_foreach (const struct litmus_cond *, c, &t->observed) {
        size_t name = strcspn(state, "="), value = strcspn(state + name, ";") + 1;
        strbuf_addf(&b, "%s%s%.*s", b.len ? " " : "", litmus_herd_name(a, t, *c), (int)value,
                    state + name);
        state += name + value;
        state += *state == ' ';
    }
    strbuf_addf(&b, "%s%s", b.len && *state ? " " : "", state);
    return b.text;
}

struct herd_names {
    struct arena *arena;
    const struct litmus_test *test;
};

static const char *name_of(void *ctx, const struct litmus_cond *atom)
{
    const struct herd_names *h = ctx;
    return litmus_herd_name(h->arena, h->test, atom);
}

const char *litmus_herd_condition(struct arena *a, const struct litmus_test *t)
{
    struct herd_names h = {a, t};
    struct strbuf b = strbuf_make(a);
    litmus_print_cond(&b, t->cond, name_of, &h);
    return b.text;
}
