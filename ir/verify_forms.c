/* SPDX-License-Identifier: MIT */
/* Scopes, launches, loops and their hints: which arguments and keywords each takes, and what their
 * values must be (pypto-front-facts 2.1, 2.6, 2.7, 2.11). */
#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "ir/lex.h"
#include "ir/verify_internal.h"

enum { FORM_KEYWORDS = 9, ANY = SCHAR_MAX };

/*
 * Kinds of values: b True or False, i positive integer known at compile time, n positive integer
 * scalar, 2 the number 2, h name of a scope, o list of optimizations, d task ids, v variable that is
 * a tensor, l list of such, t list of different ones, m mode of a runtime scope, s mode of a split,
 * p predicate, * anything.
 */
struct form {
    const char *name;
    signed char least, most; /* positional arguments */
    struct {
        const char *name;
        char kind;
        bool required;
        bool positional; /* these may be given by position, in order */
    } keywords[FORM_KEYWORDS];
};

#define KEY(title, sort)                                                                           \
    {                                                                                              \
        .name = (title), .kind = (sort)                                                            \
    }
#define NEED(title, sort)                                                                          \
    {                                                                                              \
        .name = (title), .kind = (sort), .required = true                                          \
    }
#define NONE                                                                                       \
    {                                                                                              \
        .name = NULL                                                                               \
    }
#define KEY_OR_AT(title, sort)                                                                     \
    {                                                                                              \
        .name = (title), .kind = (sort), .positional = true                                        \
    }
#define NEED_OR_AT(title, sort)                                                                    \
    {                                                                                              \
        .name = (title), .kind = (sort), .required = true, .positional = true                      \
    }

// clang-format off
static const struct form forms[] = {
    {"at", 0, 2,
     {NEED_OR_AT("level", '*'), KEY_OR_AT("role", '*'), KEY("optimizations", 'o'), KEY("name_hint", 'h'),
      KEY("deps", 'd'), KEY("no_dep_args", 't'), KEY("dumps", 't'), KEY("allow_early_resolve", 'b'),
      KEY("windowize", 'b')}},
    {"spmd", 0, 1,
     {NEED_OR_AT("core_num", 'n'), KEY("sync_start", 'b'), KEY("name_hint", 'h'), KEY("optimizations", 'o'),
      KEY("deps", 'd'), KEY("allow_early_resolve", 'b'), KEY("predicate", 'p')}},
    {"split_aiv", 1, 1, {KEY_OR_AT("n", '2'), NEED("mode", 's')}},
    {"cluster", 0, 0, {KEY("name_hint", 'h')}},
    {"scope", 0, 0, {KEY("mode", 'm')}},
    {"manual_scope", 0, 0, {NONE}},
    {"split", 1, 1, {KEY_OR_AT("mode", 's'), KEY("slot_num", 'i')}},
    {"optimizations.split", 1, 1, {KEY_OR_AT("mode", 's'), KEY("slot_num", 'i')}},
    {"cross_core_slot", 0, 0, {NEED("slot_num", 'i')}},
    {"optimizations.cross_core_slot", 0, 0, {NEED("slot_num", 'i')}},
    {"dump_tag", 1, 1, {KEY_OR_AT("tensor", 'v')}},
    {"no_dep", 1, 1, {KEY_OR_AT("tensor", '*')}},
    {"const", 2, 2, {NONE}},
    {"pl.submit", 0, ANY,
     {KEY("deps", 'd'), KEY("dumps", 'l'), KEY("allow_early_resolve", 'b'), KEY("predicate", 'p'),
      KEY("device", '*')}},
    {"pl.spmd_submit", 0, ANY,
     {NEED("core_num", 'n'), KEY("sync_start", 'b'), KEY("deps", 'd'), KEY("dumps", 'l'),
      KEY("allow_early_resolve", 'b'), KEY("predicate", 'p'), KEY("device", '*')}},
    {"pl.range", 0, ANY, {KEY("attrs", '*')}},
    {"pl.parallel", 0, ANY, {KEY("attrs", '*')}},
    {"pl.unroll", 0, ANY, {KEY("attrs", '*')}},
    {"pl.pipeline", 0, ANY, {NEED("stage", 'i'), KEY("attrs", '*')}},
};
// clang-format on

static const struct form *form_find(const char *name)
{
    for (size_t i = 0; i < ROWS(forms); i++)
        if (strcmp(forms[i].name, name) == 0)
            return &forms[i];
    return NULL;
}

/* "pl.at" for the form at, whose name the tree has without its prefix. */
static const char *written(struct verifier *v, const struct form *f)
{
    return strncmp(f->name, "pl.", 3) == 0 ? f->name : arena_printf(&v->arena, "pl.%s", f->name);
}

/* ---- values ---- */

static bool is_count(const struct ir_type *t)
{
    return verify_is_integer(t) && t->dtype != IR_BOOL && t->dtype != IR_TASK_ID;
}

static const char *must_be(bool fits, const char *wanted)
{
    return fits ? NULL : wanted;
}

static const char *positive_constant(const struct ir_expr *e)
{
    int64_t value;
    return must_be(e->kind != IR_BOOLEAN && ir_const_int(e, &value) && value > 0,
                   "a positive integer that is known at compile time");
}

static const char *positive(const struct ir_expr *e)
{
    int64_t value = 1;
    bool count = e->type ? is_count(e->type) : !verify_is_shapeless(e);
    return must_be(count && (!ir_const_int(e, &value) || value > 0), "a positive integer");
}

static const char *identifier(const struct ir_expr *e)
{
    bool fits = e->kind == IR_STRING && !isdigit((unsigned char)e->string[0]);
    for (const char *c = fits ? e->string : ""; *c; c++)
        fits &= isalnum((unsigned char)*c) || *c == '_' || (unsigned char)*c >= 0x80;
    return must_be(fits && !ir_is_python_word(e->string),
                   "a string that is a name, and no word of Python");
}

/* The entry is a call of pl.NAME or pl.optimizations.NAME. */
static bool is_entry(const struct ir_expr *e, const char *name)
{
    static const char qualified[] = "optimizations.";
    const char *callee = e->kind == IR_CALL ? e->call.name : "";
    if (strncmp(callee, qualified, sizeof qualified - 1) == 0)
        callee += sizeof qualified - 1;
    return strcmp(callee, name) == 0;
}

static const char *optimizations(const struct ir_expr *e)
{
    int splits = 0, slots = 0, counts = 0;
    bool known = e->kind == IR_LIST;
    for (size_t i = 0; known && i < e->items.len; i++) {
        const struct ir_expr *entry = e->items.items[i];
        bool split = is_entry(entry, "split"), slot = is_entry(entry, "cross_core_slot");
        splits += split;
        slots += slot;
        counts += slot || (split && ir_kwarg_find(&entry->call.kwargs, "slot_num"));
        known = split || slot;
    }
    return must_be(known && splits <= 1 && slots <= 1 && counts <= 1,
                   "a list of pl.split(mode) and pl.cross_core_slot(slot_num=), each at most once");
}

static bool is_tensor(const struct ir_expr *e)
{
    return e->kind == IR_VAR && (!e->type || ir_type_is_tensor_like(e->type));
}

static const char *tensors(const struct ir_expr *e, bool distinct)
{
    const ir_exprs *items = verify_tuple(e);
    bool fits = items != NULL;
    for (size_t i = 0; fits && i < items->len; i++) {
        const struct ir_expr *x = items->items[i];
        fits = is_tensor(x);
        for (size_t j = 0; distinct && fits && j < i; j++)
            fits = items->items[j]->var != x->var;
    }
    return must_be(fits, distinct ? "a list of variables that are tensors, each once"
                                  : "a list of variables that are tensors");
}

static bool is_member(const struct ir_expr *e, const char *enum_name)
{
    size_t len = strlen(enum_name);
    return e->kind == IR_NAME && strncmp(e->name, enum_name, len) == 0 && e->name[len] == '.';
}

/* What the value must be, or NULL when it is. */
static const char *value_breach(char kind, const struct ir_expr *e)
{
    switch (kind) {
    case 'b':
        return must_be(e->kind == IR_BOOLEAN, "True or False");
    case 'i':
        return positive_constant(e);
    case 'n':
        return positive(e);
    case '2':
        return must_be(e->kind == IR_INT && e->integer.value == 2,
                       "2, the vector cores of a cluster");
    case 'h':
        return identifier(e);
    case 'o':
        return optimizations(e);
    case 'v':
        return must_be(is_tensor(e), "a variable that is a tensor");
    case 't':
        return tensors(e, true);
    case 'l':
        return tensors(e, false);
    case 'm':
        return must_be(is_member(e, "pl.ScopeMode"), "pl.ScopeMode.AUTO or pl.ScopeMode.MANUAL");
    case 's':
        return must_be(is_member(e, "pl.SplitMode"), "a pl.SplitMode");
    default:
        return NULL;
    }
}

/* ---- arguments ---- */

static bool check_value(struct verifier *v, const char *form, const char *keyword, char kind,
                        const struct ir_expr *e)
{
    if (kind == 'd')
        return verify_deps(v, form, e);
    if (kind == 'p')
        return verify_predicate(v, form, e);
    const char *wanted = value_breach(kind, e);
    return !wanted || verify_fail(v, IR_RULE_KEYWORD_VALUE, e->span, keyword, form, wanted, NULL);
}

static int keyword_at(const struct form *f, const char *name)
{
    for (int i = 0; i < FORM_KEYWORDS && f->keywords[i].name; i++)
        if (strcmp(f->keywords[i].name, name) == 0)
            return i;
    return -1;
}

static bool unknown_keyword(struct verifier *v, const struct form *f, const struct ir_kwarg *k)
{
    const char *names[FORM_KEYWORDS];
    size_t n = 0;
    while (n < FORM_KEYWORDS && f->keywords[n].name) {
        names[n] = f->keywords[n].name;
        n++;
    }
    return verify_fail(v, IR_RULE_KEYWORD_UNKNOWN, k->span, written(v, f), k->name,
                       diag_hint(&v->arena, k->name, names, n), NULL);
}

static bool check_keywords(struct verifier *v, const struct form *f, const ir_kwargs *kwargs,
                           bool given[FORM_KEYWORDS])
{
    vec_foreach (struct ir_kwarg, k, kwargs) {
        int i = keyword_at(f, k->name);
        if (i < 0)
            return unknown_keyword(v, f, k);
        if (given[i])
            return verify_fail(v, IR_RULE_KEYWORD_TWICE, k->span, k->name, written(v, f), NULL);
        given[i] = true;
        if (!check_value(v, written(v, f), k->name, f->keywords[i].kind, k->value))
            return false;
    }
    return true;
}

bool verify_is_form(const char *name)
{
    return form_find(name) != NULL;
}

bool verify_form(struct verifier *v, const char *name, const ir_exprs *args,
                 const ir_kwargs *kwargs, struct span at)
{
    const struct form *f = form_find(name);
    bool given[FORM_KEYWORDS] = {0};
    if (!f)
        return true;
    if (args->len < (size_t)f->least || (f->most != ANY && args->len > (size_t)f->most)) {
        const char *numbers = f->least == f->most
                                  ? verify_number(v, f->least)
                                  : arena_printf(&v->arena, "%d to %d", f->least, f->most);
        return verify_fail(v, IR_RULE_FORM_ARITY, at, written(v, f), numbers,
                           verify_number(v, (int64_t)args->len), NULL);
    }
    for (size_t i = 0; i < args->len && i < FORM_KEYWORDS && f->keywords[i].positional; i++) {
        given[i] = true;
        if (!check_value(v, written(v, f), f->keywords[i].name, f->keywords[i].kind,
                         args->items[i]))
            return false;
    }
    if (!check_keywords(v, f, kwargs, given))
        return false;
    for (int i = 0; i < FORM_KEYWORDS && f->keywords[i].name; i++)
        if (f->keywords[i].required && !given[i])
            return verify_fail(v, IR_RULE_KEYWORD_REQUIRED, at, written(v, f), f->keywords[i].name,
                               NULL);
    return true;
}
