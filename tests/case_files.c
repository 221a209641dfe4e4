/* SPDX-License-Identifier: MIT */
#include "tests/case_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "tests/support.h"

static const char cases[] = "tests/cases", input[] = ".before.", indent_step[] = "    ";

static bool is_input(const char *suffix)
{
    return strncmp(suffix, input, sizeof input - 1) == 0;
}

static size_t line_length(const char *line)
{
    size_t len = strcspn(line, "\n");
    return len + (line[len] == '\n');
}

static int count_lines(const char *text)
{
    int n = 0;
    for (; *text; text += line_length(text))
        n++;
    return n;
}

/* The contents of a file; NULL when there is none. */
static const char *read_text(struct arena *a, const char *path)
{
    struct diag d = {.arena = a};
    const struct source *s = access(path, F_OK) ? NULL : source_read(a, path, &d);
    cr_assert(s || !d.failed, "%s", d.message);
    return s ? s->text : NULL;
}

/* ---- frames ---- */

/* A frame that ends in the line `def FUNCTION(...):` stands around a body, which is indented by one
 * step more; another one stands in front of the text, which goes on at its own indentation. */
struct frame_end {
    const char *function; /* NULL: none */
    int indent, lines;
};

static const char *read_frame(struct arena *a, const char *name, struct frame_end *end)
{
    const char *path = arena_printf(a, "%s/frames/%s.py", cases, name);
    const char *text = read_text(a, path), *last = text;
    cr_assert(text, "%s: there is no such frame", path);
    *end = (struct frame_end){.lines = count_lines(text)};
    for (const char *p = text; *p; p += line_length(p))
        last = p;
    size_t indent = strspn(last, " ");
    if (strncmp(last + indent, "def ", 4) == 0) {
        const char *function = last + indent + 4;
        end->function = arena_strndup(a, function, strcspn(function, "("));
        end->indent = (int)(indent + strlen(indent_step));
    }
    return text;
}

static const char *put_in_frame(struct arena *a, const char *frame, const char *body,
                                struct frame_end *end)
{
    struct strbuf b = strbuf_make(a);
    strbuf_add(&b, read_frame(a, frame, end));
    for (const char *p = body; *p; p += line_length(p)) {
        strbuf_pad(&b, ' ', (size_t)end->indent);
        strbuf_addn(&b, p, line_length(p));
    }
    return b.text;
}

const char *framed_text(struct arena *a, const char *frame, const char *body)
{
    struct frame_end end;
    return put_in_frame(a, frame, body, &end);
}

const char *printed_function(struct arena *a, const char *printed, const char *function)
{
    struct strbuf b = strbuf_make(a);
    const char *head = strstr(printed, arena_printf(a, "def %s(", function)), *line = head;
    cr_assert(head, "no function %s in\n%s", function, printed);
    while (line > printed && line[-1] != '\n')
        line--;
    size_t indent = (size_t)(head - line) + strlen(indent_step);
    for (line += line_length(line); strspn(line, " ") >= indent; line += line_length(line))
        strbuf_addn(&b, line + indent, line_length(line) - indent);
    return b.text;
}

/* ---- one case ---- */

const char *case_option(struct case_file *c, const char *key)
{
    vec_foreach (struct case_option, o, &c->options)
        if (strcmp(o->key, key) == 0) {
            o->read = true;
            return o->value;
        }
    return NULL;
}

const char *case_shown(const struct case_file *c, const char *printed)
{
    return c->function ? printed_function(c->arena, printed, c->function) : printed;
}

void case_answer(struct case_file *c, const char *suffix, const char *text)
{
    vec_push(c->arena, &c->answers, (struct case_answer){suffix, text});
}

void case_answer_error(struct case_file *c, const struct diag *d)
{
    const char *where = "";
    int line = d->span.line, col = d->span.col;
    if (line && strcmp(d->file, c->path) != 0) {
        where = arena_printf(c->arena, "%s:", d->file);
    } else if (line > c->frame_lines) {
        line -= c->frame_lines;
        col -= c->indent;
    } else if (line && c->frame_lines) {
        where = "frame:";
    }
    case_answer(
        c, ".error",
        arena_printf(c->arena, "%s%d:%d+%d: %s\n", where, line, col, d->span.len, d->message));
}

static void read_options(struct case_file *c, const char *text)
{
    static const char mark[] = "# test:";
    if (strncmp(text, mark, sizeof mark - 1) != 0)
        return;
    char *rest, *line = arena_strndup(c->arena, text, strcspn(text, "\n"));
    for (char *word = strtok_r(line + sizeof mark - 1, " ", &rest); word;
         word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        cr_assert(value, "%s: expected KEY=VALUE, found '%s'", c->path, word);
        *value++ = '\0';
        vec_push(c->arena, &c->options, (struct case_option){word, value, false});
    }
}

static void read_case(struct case_file *c)
{
    const char *text = read_text(c->arena, c->path);
    read_options(c, text);
    const char *frame = case_option(c, "frame");
    if (frame) {
        struct frame_end end;
        text = put_in_frame(c->arena, frame, text, &end);
        c->function = end.function;
        c->frame_lines = end.lines;
        c->indent = end.indent;
    }
    c->source = source_from_string(c->arena, c->path, text);
}

/* ---- comparing ---- */

/* Says where two texts part, in the words of their first line that differs. */
static void expect_same(const char *path, const char *expected, const char *actual)
{
    int line = 1;
    size_t n = line_length(expected), m = line_length(actual);
    while (n && n == m && memcmp(expected, actual, n) == 0) {
        expected += n;
        actual += m;
        line++;
        n = line_length(expected);
        m = line_length(actual);
    }
    cr_expect(!n && !m, "%s:%d: expected '%.*s', found '%.*s'", path, line,
              (int)strcspn(expected, "\n"), expected, (int)strcspn(actual, "\n"), actual);
}

static void promote(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0, "%s: %s", path, strerror(errno));
}

static void settle_answer(struct arena *a, const char *path, const char *text, bool promoting)
{
    const char *expected = read_text(a, path);
    if (promoting)
        promote(path, text);
    else if (!expected)
        cr_expect(false, "%s: nothing says what is expected; `make promote` writes it", path);
    else
        expect_same(path, expected, text);
}

/* names: the files of the case, of which stem_len characters are the case's name. */
static void settle(struct case_file *c, const char *folder, char **names, size_t n, size_t stem_len)
{
    bool promoting = getenv("PROMOTE") != NULL;
    cr_expect(c->answers.len, "%s: the program makes nothing of it", c->path);
    vec_foreach (struct case_answer, answer, &c->answers)
        settle_answer(
            c->arena,
            arena_printf(c->arena, "%s/%.*s%s", folder, (int)stem_len, names[0], answer->suffix),
            answer->text, promoting);
    for (size_t i = 0; i < n; i++) {
        bool answered = is_input(names[i] + stem_len);
        vec_foreach (struct case_answer, answer, &c->answers)
            answered |= strcmp(names[i] + stem_len, answer->suffix) == 0;
        const char *path = arena_printf(c->arena, "%s/%s", folder, names[i]);
        if (!answered && promoting)
            unlink(path);
        else
            cr_expect(answered, "%s: the program makes nothing that belongs here, but %.*s%s", path,
                      (int)stem_len, names[0], c->answers.len ? c->answers.items[0].suffix : "");
    }
    vec_foreach (struct case_option, o, &c->options)
        cr_expect(o->read, "%s: nothing is called '%s' in '# test:'", c->path, o->key);
}

/* ---- folders ---- */

static int is_file(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* The files of a folder in order, so that those of a case stand together: '.' sorts before what
 * names are made of. */
static char **list(struct arena *a, const char *folder, size_t *n)
{
    struct dirent **found;
    int len = scandir(folder, &found, is_file, by_bytes);
    *n = len < 0 ? 0 : (size_t)len;
    char **names = arena_array(a, char *, *n + 1);
    for (size_t i = 0; i < *n; i++) {
        names[i] = arena_strdup(a, found[i]->d_name);
        free(found[i]);
    }
    if (len >= 0)
        free(found);
    return names;
}

size_t expect_cases(const char *folder, void (*answer)(struct case_file *c, void *ctx), void *ctx)
{
    struct arena kept = {0};
    size_t n, done = 0, of_case;
    const char *path = arena_printf(&kept, "%s/%s", cases, folder);
    char **names = list(&kept, path, &n);
    for (size_t i = 0; i < n; i += of_case) {
        struct arena a = {0};
        struct case_file c = {.arena = &a};
        size_t stem = strcspn(names[i], ".");
        for (of_case = 0; i + of_case < n && strcspn(names[i + of_case], ".") == stem &&
                          strncmp(names[i + of_case], names[i], stem) == 0;
             of_case++)
            if (is_input(names[i + of_case] + stem))
                c.path = arena_printf(&a, "%s/%s", path, names[i + of_case]);
        if (c.path) {
            read_case(&c);
            answer(&c, ctx);
            settle(&c, path, &names[i], of_case, stem);
            done++;
        } else {
            cr_expect(false, "%s/%s: there is no %.*s%s* for it", path, names[i], (int)stem,
                      names[i], input);
        }
        arena_free(&a);
    }
    arena_free(&kept);
    return done;
}
