/* SPDX-License-Identifier: MIT */
#include "bench/report/litmus_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

struct log_reader {
    struct arena *arena;
    const struct source *src;
    struct diag *d;
    const char *next; /* where the next line starts */
    int number;       /* of the current line */
    struct logged_tests *out;
    struct logged_test *test; /* the last one, or NULL */
};

static bool next_line(struct log_reader *r, const char **line)
{
    if (!*r->next)
        return false;
    size_t len = strcspn(r->next, "\n"), text = len;
    text -= text && r->next[text - 1] == '\r';
    *line = arena_strndup(r->arena, r->next, text);
    r->next += len + (r->next[len] == '\n');
    r->number++;
    return true;
}

/* The word behind a keyword at the start of the line, or NULL. */
static const char *word_behind(struct arena *a, const char *line, const char *keyword)
{
    size_t n = strlen(keyword);
    if (strncmp(line, keyword, n) || line[n] != ' ')
        return NULL;
    line += n + strspn(line + n, " ");
    return arena_strndup(a, line, strcspn(line, " ,"));
}

/* ---- states ---- */

static int by_bytes(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* "412 *>" in front of a state: how often it was seen. */
static const char *behind_count(const char *line)
{
    const char *p = line + strspn(line, "0123456789");
    p += strspn(p, " \t");
    return p != line && (!strncmp(p, "*>", 2) || !strncmp(p, ":>", 2)) ? p + 2 : line;
}

/* NAME=VALUE without blanks, and without the brackets that herd has around locations; a fault of
 * herd's has no value. NULL: none of these. */
static const char *binding(struct arena *a, const char *text, size_t len)
{
    struct strbuf b = strbuf_make(a);
    for (size_t i = 0; i < len; i++)
        if (!strchr(" \t", text[i]))
            strbuf_addn(&b, &text[i], 1);
    char *s = b.text, *equals = strchr(s, '=');
    if (!equals)
        return !strncmp(s, "fault(", 6) || !strncmp(s, "~fault(", 7) || !strncmp(s, "Fault(", 6) ||
                       !strncmp(s, "~Fault(", 7)
                   ? s
                   : NULL;
    if (equals == s || !equals[1])
        return NULL;
    if (*s == '[' && equals[-1] == ']')
        return arena_printf(a, "%.*s%s", (int)(equals - s) - 2, s + 1, equals);
    return s;
}

static bool add_state(struct log_reader *r, const char *line)
{
    VEC(const char *) bindings = {0};
    for (const char *p = behind_count(line); *(p += strspn(p, " \t")); p++) {
        size_t len = strcspn(p, ";");
        const char *one = p[len] ? binding(r->arena, p, len) : NULL;
        if (!one)
            return diag_error(r->d, r->src, (struct span){r->number, (int)(p - line) + 1, (int)len},
                              "expected a final state of %s, such as '1:r0=0; x=1;'",
                              r->test->name);
        vec_push(r->arena, &bindings, one);
        p += len;
    }
    if (bindings.len)
        qsort(bindings.items, bindings.len, sizeof *bindings.items, by_bytes);
    struct strbuf b = strbuf_make(r->arena);
    vec_foreach (const char *, one, &bindings)
        strbuf_addf(&b, "%s%s;", b.len ? " " : "", *one);
    vec_push(r->arena, &r->test->states, b.text);
    return true;
}

static bool starts_with_any(const char *line, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strncmp(line, words[i], strlen(words[i])))
            return true;
    return false;
}

/* The line behind the states: is the condition met? */
static bool is_answer(const char *line)
{
    static const char *const words[] = {"Ok", "No", "??", "Succeeded", "Failed", "Undef", "Loop "};
    return starts_with_any(line, words, sizeof words / sizeof *words);
}

static void sort_states(struct logged_test *t)
{
    size_t kept = 0;
    if (t->states.len)
        qsort(t->states.items, t->states.len, sizeof *t->states.items, by_bytes);
    for (size_t i = 0; i < t->states.len; i++)
        if (!kept || strcmp(t->states.items[kept - 1], t->states.items[i]))
            t->states.items[kept++] = t->states.items[i];
    t->states.len = kept;
}

static bool read_states(struct log_reader *r)
{
    const char *line;
    while (next_line(r, &line)) {
        if (is_answer(line)) {
            r->test->limited = !strncmp(line, "??", 2);
            sort_states(r->test);
            return true;
        }
        /* A test that observes nothing has an empty state, which comes first. */
        bool blank = !line[strspn(line, " \t")];
        if (!(blank && r->test->states.len) && !add_state(r, line))
            return false;
    }
    return diag_file(r->d, r->src->name, "ends within the final states of %s", r->test->name);
}

/* ---- tests ---- */

static bool read_line(struct log_reader *r, const char *line)
{
    const char *name = word_behind(r->arena, line, "Test");
    if (name) {
        vec_push(r->arena, &r->out->tests, (struct logged_test){.name = name, .verdict = ""});
        r->test = &r->out->tests.items[r->out->tests.len - 1];
        return true;
    }
    if (!r->test)
        return true;
    const char *model = word_behind(r->arena, line, "Model");
    if (model)
        r->test->model = model;
    const char *seen = word_behind(r->arena, line, "Observation");
    if (seen && !strcmp(seen, r->test->name)) {
        const char *verdict = word_behind(r->arena, strstr(line, seen) + strlen(seen), "");
        r->test->verdict = verdict ? verdict : "";
        r->test->limited |= !strcmp(r->test->verdict, "Unknown");
    }
    bool states = !strncmp(line, "States", 6) || !strncmp(line, "Histogram", 9);
    return !states || read_states(r);
}

bool litmus_log_read(struct arena *a, const char *path, struct logged_tests *out, struct diag *d)
{
    *out = (struct logged_tests){.path = path};
    const struct source *src = source_read(a, path, d);
    if (!src)
        return false;
    struct log_reader r = {.arena = a, .src = src, .d = d, .next = src->text, .out = out};
    const char *line;
    while (next_line(&r, &line))
        if (!read_line(&r, line))
            return false;
    return out->tests.len || diag_file(d, path, "is no log of litmus tests: it has no 'Test NAME'");
}
