/* SPDX-License-Identifier: MIT */
/*
 * Logs that herd's tools read: the log of the whole catalogue, read by a reader that follows the
 * grammar which these tools publish (herdtools7, tools/lexLog_tools.mll for logs, lib/stateLexer.mll
 * and stateParser.mly for conditions) and knows nothing of how fencebench prints.
 *
 *     test       Test NAME [KIND], lines that are skipped, then the states
 *     states     "States" [N] or "Histogram" ["(N states)"], then lines [N ("*>" or ":>")] binding*
 *     binding    (N:reg or [loc] or loc[N]) = integer ;    reg, loc: [A-Za-z_.$][A-Za-z0-9_.]*
 *     answer     a line that starts with Undef, Succeeded, Failed, Ok, No or ??; it ends the states
 *     witnesses  "Witnesses", "Positive: N Negative: N"
 *     condition  "Condition" and an exists, ~exists or forall over bindings, /\, \/, ~ and ()
 *     rest       KEY = ..., "Time" NAME N.N, KEY NAME ...
 */
#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/vec.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- the reader ---- */

struct bound {
    const char *name, *value;
};

struct read_state {
    long count; /* 1 where none is given */
    VEC(struct bound) bindings;
};

struct read_test {
    const char *name, *kind, *answer;
    bool histogram, condition;
    long positive, negative;
    VEC(struct read_state) states;
};

struct reader {
    struct arena arena;
    const char *p;
    const char *error; /* the first line that is none of the grammar, or NULL */
    VEC(struct read_test) tests;
};

static bool bad(struct reader *r, const char *at)
{
    if (!r->error)
        r->error = arena_strndup(&r->arena, at, strcspn(at, "\n"));
    return false;
}

static size_t name_length(const char *s)
{
    size_t n = 0;
    if (!isalpha((unsigned char)*s) && !(*s && strchr("_.$", *s)))
        return 0;
    while (isalnum((unsigned char)s[n]) || (s[n] && strchr(n ? "_." : "_.$", s[n])))
        n++;
    return n;
}

static size_t digits(const char *s)
{
    return strspn(s, "0123456789");
}

static const char *skip_blanks(const char *s)
{
    return s + strspn(s, " \t");
}

static const char *next_line(const char *s)
{
    s += strcspn(s, "\n");
    return *s ? s + 1 : s;
}

/* N:reg, loc, [loc] or loc[N]; the length with brackets, 0 when it is none. */
static size_t place_length(const char *s)
{
    size_t n = digits(s);
    if (n) {
        size_t reg = s[n] == ':' ? name_length(s + n + 1) : 0;
        return reg ? n + 1 + reg : 0;
    }
    bool open = *s == '[';
    n = name_length(s + open);
    if (!n || open)
        return n && s[1 + n] == ']' ? n + 2 : 0;
    size_t index = s[n] == '[' ? digits(s + n + 1) : 0;
    return index && s[n + 1 + index] == ']' ? n + index + 2 : n;
}

static size_t value_length(const char *s)
{
    size_t sign = *s == '-', n = digits(s + sign);
    return n ? sign + n : 0;
}

/* Bindings to the end of the line. */
static bool read_bindings(struct reader *r, const char **at, struct read_state *state)
{
    const char *p = *at;
    for (;;) {
        p = skip_blanks(p);
        if (*p == '\n') {
            *at = p + 1;
            return true;
        }
        size_t place = place_length(p);
        const char *equals = skip_blanks(p + place), *value = skip_blanks(equals + 1);
        size_t n = place && *equals == '=' ? value_length(value) : 0;
        const char *end = skip_blanks(value + n);
        if (!n || *end != ';')
            return bad(r, *at);
        vec_push(
            &r->arena, &state->bindings,
            (struct bound){arena_strndup(&r->arena, p, place), arena_strndup(&r->arena, value, n)});
        p = end + 1;
    }
}

static const char *answer_of(const char *line)
{
    static const char *const words[] = {"Undef", "Succeeded", "Failed", "Ok", "No", "??"};
    for (size_t i = 0; i < COUNT(words); i++)
        if (!strncmp(line, words[i], strlen(words[i])))
            return words[i];
    return NULL;
}

static bool read_states(struct reader *r, struct read_test *t)
{
    while (!t->answer) {
        if (!*r->p)
            return bad(r, "the end of the log");
        t->answer = answer_of(r->p);
        if (t->answer) {
            r->p = next_line(r->p);
            break;
        }
        struct read_state s = {.count = 1};
        size_t n = digits(r->p);
        const char *mark = skip_blanks(r->p + n);
        if (n && (!strncmp(mark, ":>", 2) || !strncmp(mark, "*>", 2))) {
            s.count = atol(r->p);
            r->p = mark + 2;
        }
        bool blank = *skip_blanks(r->p) == '\n';
        if (!read_bindings(r, &r->p, &s))
            return false;
        if (!blank || s.count > 1 || n || !t->states.len) /* blank lines behind the first: none */
            vec_push(&r->arena, &t->states, s);
    }
    return true;
}

/* ---- conditions ---- */

/* Words of the grammar of conditions, which name no location. */
static bool is_word(const char *s, size_t n)
{
    static const char *const words[] = {"NOP",   "nop",      "not",       "true", "false", "and",
                                        "final", "observed", "exists",    "with", "fault", "filter",
                                        "tag",   "forall",   "locations", "PTE",  "PA",    "SS"};
    for (size_t i = 0; i < COUNT(words); i++)
        if (strlen(words[i]) == n && !strncmp(words[i], s, n))
            return true;
    return *s == 'P' && n > 1 && digits(s + 1) == n - 1;
}

static const char *proposition(const char *s);

/* NULL: it is none. */
static const char *operand(const char *s)
{
    s = skip_blanks(s);
    if (*s == '~')
        return operand(s + 1);
    if (*s == '(') {
        s = proposition(s + 1);
        return s && *skip_blanks(s) == ')' ? skip_blanks(s) + 1 : NULL;
    }
    size_t n = place_length(s), word = name_length(s);
    if (word == 4 && !strncmp(s, "true", 4))
        return s + 4;
    if (!n || (word && is_word(s, word)))
        return NULL;
    s = skip_blanks(s + n);
    if (*s != '=')
        return NULL;
    s = skip_blanks(s + 1);
    n = value_length(s);
    return n ? s + n : NULL;
}

static const char *proposition(const char *s)
{
    for (s = operand(s); s; s = operand(s + 2)) {
        s = skip_blanks(s);
        if (strncmp(s, "/\\", 2) && strncmp(s, "\\/", 2))
            return s;
    }
    return NULL;
}

static bool is_condition(const char *s)
{
    static const char *const quantifiers[] = {"exists", "~exists", "forall"};
    for (size_t i = 0; i < COUNT(quantifiers); i++) {
        size_t n = strlen(quantifiers[i]);
        if (strncmp(s, quantifiers[i], n))
            continue;
        s = proposition(s + n);
        return s && *skip_blanks(s) == '\n';
    }
    return false;
}

/* ---- a whole test ---- */

/* KEY = ... or KEY NAME ...; Hash and Time are of this form. */
static bool is_rest(const char *line)
{
    size_t n = 0;
    while (isalpha((unsigned char)line[n]))
        n++;
    const char *p = skip_blanks(line + n);
    return n && (*p == '=' || (p > line + n && !isspace((unsigned char)*p)));
}

static bool read_end(struct reader *r, struct read_test *t)
{
    while (*skip_blanks(r->p) == '\n')
        r->p = next_line(r->p);
    if (!strncmp(r->p, "Witnesses\n", 10)) {
        r->p = next_line(r->p);
        if (sscanf(r->p, "Positive: %ld Negative: %ld", &t->positive, &t->negative) != 2)
            return bad(r, r->p);
        r->p = next_line(r->p);
    }
    if (!strncmp(r->p, "Condition ", 10)) {
        t->condition = is_condition(r->p + 10);
        if (!t->condition)
            return bad(r, r->p);
        r->p = next_line(r->p);
    }
    while (*r->p && *r->p != '\n') {
        if (!is_rest(r->p))
            return bad(r, r->p);
        r->p = next_line(r->p);
    }
    return true;
}

static bool read_test(struct reader *r)
{
    static const char chars[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/.-+[]:";
    struct read_test t = {0};
    const char *name = skip_blanks(r->p + 4);
    size_t n = strspn(name, chars);
    const char *kind = skip_blanks(name + n);
    t.name = arena_strndup(&r->arena, name, n);
    t.kind = arena_strndup(&r->arena, kind, name_length(kind));
    if (!n || kind[strlen(t.kind)] != '\n')
        return bad(r, r->p);
    for (r->p = next_line(r->p);; r->p = next_line(r->p)) {
        int end = 0;
        bool states = !strncmp(r->p, "States", 6);
        t.histogram = !strncmp(r->p, "Histogram", 9);
        if (!*r->p || !strncmp(r->p, "Test ", 5))
            return bad(r, r->p);
        if (!states && !t.histogram)
            continue;
        sscanf(r->p, states ? "States %*d%n" : "Histogram (%*d states)%n", &end);
        if (!end || r->p[end] != '\n')
            return bad(r, r->p);
        break;
    }
    r->p = next_line(r->p);
    if (!read_states(r, &t) || !read_end(r, &t))
        return false;
    vec_push(&r->arena, &r->tests, t);
    return true;
}

/* False with r->error set. */
static bool read_log(struct reader *r, const char *text)
{
    for (r->p = text; *r->p;) {
        if (strncmp(r->p, "Test ", 5))
            r->p = next_line(r->p);
        else if (!read_test(r))
            return false;
    }
    return true;
}

/* ---- what fencebench prints ---- */

static char *output_of(struct arena *a, const char *args)
{
    const char *binary = getenv("FENCEBENCH");
    FILE *f =
        popen(arena_printf(a, "%s litmus %s", binary ? binary : "build/fencebench", args), "r");
    cr_assert(f, "no program to test");
    size_t len = 0, cap = 1 << 23;
    char *text = arena_array(a, char, cap);
    for (size_t n; (n = fread(text + len, 1, cap - 1 - len, f)); len += n)
        continue;
    cr_assert(len < cap - 1, "the output is too long for this test");
    text[len] = '\0';
    pclose(f);
    return text;
}

/* The state as fencebench writes it: its names differ, in one and the same way in all states of the
 * test, its values and their order do not. */
static void expect_same_state(const struct read_test *t, const char *native, size_t k)
{
    const struct read_state *s = &t->states.items[k], *first = &t->states.items[0];
    vec_foreach (const struct bound, b, &s->bindings) {
        size_t i = (size_t)(b - s->bindings.items), name = strcspn(native, "=");
        const char *value = native + name + 1;
        size_t n = strcspn(value, ";");
        cr_expect(strlen(b->value) == n && !strncmp(b->value, value, n), "%s: %s=%s is %s", t->name,
                  b->name, b->value, native);
        cr_expect(i >= first->bindings.len || !strcmp(b->name, first->bindings.items[i].name),
                  "%s: two names", t->name);
        for (size_t j = 0; j < i; j++)
            cr_expect(strcmp(s->bindings.items[j].name, b->name), "%s: %s twice", t->name, b->name);
        native = value + n + 1;
        native += *native == ' ';
    }
    cr_expect(!*native, "%s: the log lacks %s", t->name, native);
}

static void expect_as_json(const struct read_test *t, const json_t *j, bool sampled)
{
    json_t *states = json_object_get(j, "states"), *s;
    size_t i;
    expect_text("name", t->name, json_string_value(json_object_get(j, "name")));
    expect_text(t->name, t->kind, json_string_value(json_object_get(j, "kind")));
    json_t *met = json_object_get(j, "met");
    expect_text(t->name, t->answer, json_is_null(met) ? "??" : json_is_true(met) ? "Ok" : "No");
    cr_expect(t->histogram == sampled && t->condition, "%s", t->name);
    cr_assert(json_array_size(states) == t->states.len, "%s: %zu of %zu states", t->name,
              t->states.len, json_array_size(states));
    long with = (long)json_integer_value(json_object_get(j, "with")),
         without = (long)json_integer_value(json_object_get(j, "without"));
    bool forbids = !strcmp(t->kind, "Forbidden");
    cr_expect(t->positive == (forbids ? without : with) &&
                  t->negative == (forbids ? with : without),
              "%s: witnesses", t->name);
    json_array_foreach(states, i, s)
    {
        json_t *count = json_object_get(s, "count");
        cr_expect(t->states.items[i].count == (count ? (long)json_integer_value(count) : 1), "%s",
                  t->name);
        expect_same_state(t, json_string_value(json_object_get(s, "state")), i);
    }
}

static const struct {
    const char *args;
    bool sampled;
} runs[] = {{"--explore --model=all litmus/catalogue", false},
            {"--runs=20 --driver=random litmus/catalogue", true},
            {"--runs=3 --max-transitions=4 litmus/catalogue/h01-stale-line", true}};

Test(herd_log, the_catalogue, .timeout = 300)
{
    for (size_t i = 0; i < COUNT(runs); i++) {
        struct reader r = {0};
        const char *log =
            output_of(&r.arena, arena_printf(&r.arena, "--log=herd %s", runs[i].args));
        cr_assert(read_log(&r, log), "%s: %s", runs[i].args, r.error);
        json_t *top = json_loads(
            output_of(&r.arena, arena_printf(&r.arena, "--json %s", runs[i].args)), 0, NULL);
        json_t *results = json_object_get(top, "results"), *j;
        size_t k;
        cr_assert(r.tests.len && json_array_size(results) == r.tests.len, "%zu of %zu tests",
                  r.tests.len, json_array_size(results));
        json_array_foreach(results, k, j) expect_as_json(&r.tests.items[k], j, runs[i].sampled);
        json_decref(top);
        arena_free(&r.arena);
    }
}

/* What the reader must not take: it is no reader of everything. */
static const struct {
    const char *name, *log;
    bool readable;
} logs[] = {
    {"a plain one", "Test a Allowed\nStates 1\n1:r0=0; x=-1; y[3]=7; [z]=2;\nOk\n", true},
    {"runs", "Test a Allowed\nHistogram (1 states)\n12 *>1:r0=0;\nOk\n", true},
    {"a rank", "Test a Allowed\nStates 1\nx@1=0;\nOk\n", false},
    {"a second core", "Test a Allowed\nStates 1\n1.1:r0=0;\nOk\n", false},
    {"a lane", "Test a Allowed\nStates 1\n0.aiv0:t0=0;\nOk\n", false},
    {"no end", "Test a Allowed\nStates 1\n1:r0=0;\n", false},
    {"a rank in the condition", "Test a Allowed\nStates 1\nx=0;\nOk\nCondition exists (x@1=0)\n",
     false},
    {"a word as a name", "Test a Allowed\nStates 1\nand=0;\nOk\nCondition exists (and=0)\n", false},
};

Test(herd_log, what_the_reader_takes)
{
    for (size_t i = 0; i < COUNT(logs); i++) {
        struct reader r = {0};
        cr_expect(read_log(&r, logs[i].log) == logs[i].readable, "%s: %s", logs[i].name,
                  r.error ? r.error : "was read");
        arena_free(&r.arena);
    }
}
