/* SPDX-License-Identifier: MIT */
/* What is said of arguments from outside: in directives, beside the file or on the command line. */
#include <string.h>

#include "pto/lower.h"

/* ---- names ---- */

/* "argN" where the Nth argument has another name and no other has this one; else its own name. */
static const char *second_name(const struct lower *l, const struct pto_arg *a)
{
    const struct task_lane *lane = &l->lanes.items[a->lane];
    const struct pto_arg *all = &l->args.items[lane->first_arg];
    const char *name = arena_printf(l->arena, "arg%d", (int)(a - all));
    for (size_t i = 0; i < lane->nargs; i++)
        if (!strcmp(all[i].number, name))
            return a->number;
    return name;
}

/* A name of an argument, and the same with a word and an owner in front, as it is said. */
struct said_name {
    const char *own, *full;
};

enum { MAX_NAMES = 6 };

/* What the argument can be called behind the word: with its function, its task or nothing in front. Returns
 * how many. */
static int names_of(const struct lower *l, const struct pto_arg *a, const char *word,
                    struct said_name out[MAX_NAMES])
{
    const struct task_lane *lane = &l->lanes.items[a->lane];
    const char *const owners[] = {lane->func->symbol, l->launches.items[lane->task].name, NULL};
    const char *const own[] = {a->number, second_name(l, a)};
    int n = 0;
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < (own[0] == own[1] ? 1 : 2); k++)
            out[n++] = (struct said_name){
                own[k], owners[i] ? arena_printf(l->arena, "%s%s.%s", word, owners[i], own[k])
                                  : arena_printf(l->arena, "%s%s", word, own[k])};
    return n;
}

static bool is_called(const struct lower *l, const struct pto_arg *a, const char *name)
{
    struct said_name names[MAX_NAMES];
    for (int n = names_of(l, a, "", names); n-- > 0;)
        if (!strcmp(names[n].full, name))
            return true;
    return false;
}

/* ---- values ---- */

typedef enum pto_answer asker(struct lower *l, const char *name, int rank, int64_t *out);

static enum pto_answer ask_value(struct lower *l, const char *name, int rank, int64_t *out)
{
    return l->o->value(l->o->ctx, name, rank, out, l->d);
}

static enum pto_answer ask_contents(struct lower *l, const char *name, int rank, int64_t *out)
{
    return l->o->element(l->o->ctx, name, rank, 0, out, l->d);
}

/* The name that an answer was given under, or NULL; false after an error. */
static bool answer(struct lower *l, const struct pto_arg *a, const char *word, asker *ask, int rank,
                   const char **under, int64_t *out)
{
    struct said_name names[MAX_NAMES];
    int n = names_of(l, a, word, names);
    *under = NULL;
    for (int i = 0; i < n; i++) {
        enum pto_answer is = ask(l, names[i].full, rank, out);
        if (is == PTO_GIVEN)
            *under = names[i].full;
        if (is != PTO_UNKNOWN)
            return *under;
    }
    return true;
}

bool said_value(struct lower *l, const struct pto_arg *arg, const char *word, int rank, bool *found,
                int64_t *out)
{
    const char *under = NULL;
    bool ok = !l->o->value || answer(l, arg, word, ask_value, rank, &under, out);
    *found = under != NULL;
    return ok;
}

bool said_contents(struct lower *l, const struct pto_arg *arg, const char **name)
{
    int64_t unused;
    *name = NULL;
    return !l->o->element || answer(l, arg, "init ", ask_contents, 0, name, &unused);
}

/* ---- roles ---- */

/* Pointers that no context moves any more are not theirs. */
static void set_local(struct lower *l, struct pto_arg *a)
{
    a->role = ROLE_TENSOR;
    a->local = true;
    a->window = -1;
    vec_foreach (struct pto_arg, c, &l->args)
        if (c->role == ROLE_CTX && c->window == (int)(a - l->args.items))
            c->window = -1;
}

static void set_window(struct pto_arg *a)
{
    a->role = ROLE_WINDOW;
    a->window = -1;
}

static bool set_direction(struct lower *l, struct pto_arg *a, int64_t direction)
{
    if (direction == PTO_IN && a->writes)
        return lower_error(l, a->writes->span, "'%s' writes '%s', which is said to be 'in'",
                           a->writes->spelled, a->number);
    a->written = direction != PTO_IN;
    a->read_first = direction != PTO_OUT;
    return true;
}

static bool has_pointer(const struct pto_arg *a)
{
    return a->role == ROLE_TENSOR || a->role == ROLE_WINDOW || a->role == ROLE_RING ||
           a->role == ROLE_CTX;
}

/* What is said of an argument of a lane holds for its twin of the first one. */
static bool set_role(struct lower *l, const struct pto_arg *by)
{
    struct pto_arg *a = &l->args.items[by->twin >= 0 ? by->twin : (int)(by - l->args.items)];
    bool window, dim, direction;
    int64_t is_window = 0, extent, way = 0;
    if (!said_value(l, by, "window ", 0, &window, &is_window) ||
        !said_value(l, by, "dim ", 0, &dim, &extent) ||
        !said_value(l, by, "direction ", 0, &direction, &way))
        return false;
    if (window && has_pointer(a)) {
        if (is_window)
            set_window(a);
        else
            set_local(l, a);
    }
    if (dim && a->role == ROLE_SCALAR && !elem_is_float(a->elem))
        a->role = ROLE_DIM;
    return !direction || a->role != ROLE_TENSOR || set_direction(l, a, way);
}

static void share(const struct lower *l, size_t first)
{
    for (size_t i = first; i < l->args.len; i++) {
        struct pto_arg *b = &l->args.items[i];
        const struct pto_arg *a = b->twin >= 0 ? &l->args.items[b->twin] : NULL;
        if (!a || a->role == ROLE_BLOCK)
            continue;
        b->role = a->role;
        b->window = a->window >= 0 ? a->window + (int)(b - a) : -1;
        b->local = a->local;
        b->read_first = a->read_first;
        b->written = a->written;
    }
}

static bool pair_error(struct lower *l, const struct pto_pair *p, bool other, const char *fmt,
                       const char *arg)
{
    return diag_error(l->d, p->source, other ? p->other_at : p->one_at, fmt, arg);
}

/* "ctx arg4 of arg1". */
static bool set_context(struct lower *l, const struct pto_pair *p, struct pto_arg *c)
{
    const struct task_lane *lane = &l->lanes.items[c->lane];
    struct pto_arg *all = &l->args.items[lane->first_arg], *a = NULL;
    for (size_t i = 0; i < lane->nargs && !a; i++)
        if (is_called(l, &all[i], p->other))
            a = &all[i];
    if (!a)
        return pair_error(l, p, true, "the function that has '%s' has no such argument", p->one);
    if (!has_pointer(c) || strcmp(c->value->type->elem, "i64") != 0)
        return pair_error(l, p, false, "a context is a pointer to i64, '%s' is not", p->one);
    if (!has_pointer(a) || a == c)
        return pair_error(l, p, true, "a window is a pointer, and no context: not '%s'", p->other);
    c->role = ROLE_CTX;
    c->window = (int)(a - l->args.items);
    set_window(a);
    if (c->twin >= 0) {
        l->args.items[c->twin].role = ROLE_CTX;
        l->args.items[c->twin].window = c->window - (int)(c - &l->args.items[c->twin]);
        set_window(&l->args.items[l->args.items[c->twin].window]);
    }
    return true;
}

bool said_roles(struct lower *l, size_t first)
{
    for (size_t i = first; i < l->args.len; i++)
        if (!set_role(l, &l->args.items[i]))
            return false;
    for (size_t k = 0; k < l->o->ncontexts; k++)
        for (size_t i = first; i < l->args.len; i++)
            if (is_called(l, &l->args.items[i], l->o->contexts[k].one) &&
                !set_context(l, &l->o->contexts[k], &l->args.items[i]))
                return false;
    share(l, first);
    return true;
}

/* ---- one buffer of several names ---- */

/* The argument of the one task that has it, or NULL after an error. */
static struct pto_arg *find_one(struct lower *l, const struct pto_pair *p, bool other)
{
    const char *name = other ? p->other : p->one;
    struct pto_arg *found = NULL;
    vec_foreach (struct pto_arg, a, &l->args) {
        if (!is_called(l, a, name))
            continue;
        struct pto_arg *first = a->twin >= 0 ? &l->args.items[a->twin] : a;
        if (found && found != first) {
            pair_error(l, p, other, "several kernels have '%s'; expected the name of one in front",
                       name);
            return NULL;
        }
        found = first;
    }
    if (!found)
        pair_error(l, p, other, "no kernel that runs has '%s'", name);
    return found;
}

static struct pto_arg *first_joined(struct lower *l, struct pto_arg *a)
{
    while (a->joined >= 0)
        a = &l->args.items[a->joined];
    return a;
}

static bool join(struct lower *l, const struct pto_pair *p)
{
    struct pto_arg *a = find_one(l, p, false), *b = a ? find_one(l, p, true) : NULL;
    if (!a || !b)
        return false;
    for (int other = 0; other < 2; other++) {
        const struct pto_arg *x = other ? b : a;
        if (!has_pointer(x) || x->role == ROLE_RING)
            return pair_error(l, p, other, "'%s' is no tensor or window", x->number);
    }
    if (elem_size(a->elem) != elem_size(b->elem))
        return pair_error(l, p, true, "the elements of '%s' have another size", p->other);
    bool window = a->role == ROLE_WINDOW || b->role == ROLE_WINDOW;
    a->role = b->role = window ? ROLE_WINDOW : ROLE_TENSOR;
    a->window = b->window = -1;
    a = first_joined(l, a), b = first_joined(l, b);
    if (a < b)
        b->joined = (int)(a - l->args.items);
    else if (b < a)
        a->joined = (int)(b - l->args.items);
    return true;
}

/* All that are one buffer with a window are windows, and each is joined to the first of all. */
bool said_joins(struct lower *l)
{
    for (size_t k = 0; k < l->o->njoins; k++)
        if (!join(l, &l->o->joins[k]))
            return false;
    vec_foreach (struct pto_arg, a, &l->args)
        if (a->joined >= 0 && a->role == ROLE_WINDOW)
            first_joined(l, a)->role = ROLE_WINDOW;
    vec_foreach (struct pto_arg, a, &l->args)
        if (a->joined >= 0) {
            const struct pto_arg *first = first_joined(l, a);
            a->joined = (int)(first - l->args.items);
            a->role = first->role;
        }
    if (l->o->njoins)
        share(l, 0);
    return true;
}

/* ---- what does not fit ---- */

#define AS(role) (1U << (role))
#define POINTERS (AS(ROLE_TENSOR) | AS(ROLE_WINDOW) | AS(ROLE_RING))
#define NUMBERS  (AS(ROLE_SCALAR) | AS(ROLE_DIM))

static const struct {
    const char *word;
    unsigned roles;
    const char *expected;
} words[] = {{"", NUMBERS, "a scalar or a dimension"},
             {"dim ", AS(ROLE_DIM), "an integer"},
             {"size ", POINTERS, "a tensor or a window"},
             {"window ", POINTERS, "a pointer"},
             {"direction ", AS(ROLE_TENSOR), "a tensor of the rank"},
             {"init ", AS(ROLE_TENSOR) | AS(ROLE_WINDOW), "a tensor or a window"}};

static bool fits(const struct pto_arg *a, size_t word)
{
    return words[word].roles & AS(a->role);
}

/* What is said of an argument's name alone may be meant for that of another function. */
static bool meant_for_another(const struct lower *l, const char *name, size_t word)
{
    vec_foreach (const struct pto_arg, a, &l->args)
        if (fits(a, word) && is_called(l, a, name))
            return true;
    return false;
}

static bool word_fits(struct lower *l, const struct pto_arg *a, size_t word)
{
    static const char *const roles[] = {
        [ROLE_TENSOR] = "a tensor", [ROLE_WINDOW] = "a window",
        [ROLE_CTX] = "a context",   [ROLE_SCALAR] = "a scalar",
        [ROLE_DIM] = "a dimension", [ROLE_BLOCK] = "given by the task",
        [ROLE_TILE] = "a tile",     [ROLE_RING] = "the memory of a pipe"};
    struct said_name names[MAX_NAMES];
    int n = names_of(l, a, words[word].word, names);
    for (int i = 0; i < n; i++) {
        const char *full = names[i].full;
        if (!l->o->wrong(l->o->ctx, full, NULL, l->d) ||
            meant_for_another(l, full + strlen(words[word].word), word))
            continue;
        const char *why = arena_printf(l->arena, "'%s' is %s; expected %s", names[i].own,
                                       roles[a->role], words[word].expected);
        l->o->wrong(l->o->ctx, full, why, l->d);
        return false;
    }
    return true;
}

bool said_fits(struct lower *l)
{
    for (size_t w = 0; w < sizeof words / sizeof *words && l->o->wrong; w++)
        vec_foreach (const struct pto_arg, a, &l->args)
            if (!fits(a, w) && !word_fits(l, a, w))
                return false;
    return true;
}
