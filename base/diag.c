/* SPDX-License-Identifier: MIT */
#include "base/diag.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/strbuf.h"

enum { MAX_SOURCE_BYTES = 256 * 1024 * 1024, MAX_SHOWN_LINE = 160, MAX_WORD = 64 };

static const struct source_part *part_of(const struct source *src, int line)
{
    const struct source_part *part = NULL;
    for (size_t i = 0; src && i < src->nparts && src->parts[i].first_line <= line; i++)
        part = &src->parts[i];
    return part;
}

struct source_line source_place(const struct source *src, int line)
{
    const struct source_part *part = part_of(src, line);
    return part ? (struct source_line){part->name, line - part->first_line + 1}
                : (struct source_line){src->name, line};
}

const char *source_line_words(struct arena *a, const struct source *src, int line)
{
    const struct source_part *part = part_of(src, line);
    return part ? arena_printf(a, "line %d of %s", line - part->first_line + 1, part->name)
                : arena_printf(a, "line %d", line);
}

const struct source *source_main(struct arena *a, const struct source *src)
{
    if (!src->nparts)
        return src;
    struct source *s = arena_new(a, struct source);
    s->name = src->name;
    s->len = src->parts[0].offset;
    s->text = arena_strndup(a, src->text, s->len);
    return s;
}

static const char *line_at(const struct source *src, int line, struct arena *a)
{
    const char *p = src->text;
    for (int i = 1; i < line; i++) {
        p = strchr(p, '\n');
        if (!p)
            return NULL;
        p++;
    }
    return arena_strndup(a, p, strcspn(p, "\n"));
}

bool diag_verror(struct diag *d, const struct source *src, struct span at, const char *fmt,
                 va_list ap)
{
    if (d->failed)
        return false;
    d->failed = true;
    d->span = at;
    d->message = arena_vprintf(d->arena, fmt, ap);
    if (src) {
        struct source_line place = source_place(src, at.line);
        d->file = place.file;
        d->span.line = place.line;
        if (at.line > 0)
            d->line_text = line_at(src, at.line, d->arena);
    }
    return false;
}

bool diag_error(struct diag *d, const struct source *src, struct span at, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    diag_verror(d, src, at, fmt, ap);
    va_end(ap);
    return false;
}

bool diag_file(struct diag *d, const char *name, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    diag_verror(d, &(struct source){.name = name, .text = ""}, (struct span){0}, fmt, ap);
    va_end(ap);
    return false;
}

/* Generated kernels have lines of thousands of characters: show a window around the caret. */
static void add_excerpt(struct strbuf *b, const struct diag *d)
{
    size_t len = strlen(d->line_text), from = 0;
    size_t caret = d->span.col > 0 ? (size_t)d->span.col - 1 : 0;
    if (caret > len)
        caret = len;
    if (caret > MAX_SHOWN_LINE / 2 && len > MAX_SHOWN_LINE)
        from = caret - MAX_SHOWN_LINE / 2;
    size_t shown = len - from < MAX_SHOWN_LINE ? len - from : MAX_SHOWN_LINE;
    strbuf_addf(b, "%5d | ", d->span.line);
    size_t start = b->len;
    strbuf_addn(b, d->line_text + from, shown);
    for (char *p = b->text + start; *p; p++)
        if ((unsigned char)*p < ' ')
            *p = ' ';
    strbuf_add(b, "\n      | ");
    strbuf_pad(b, ' ', caret - from);
    strbuf_add(b, "^");
    size_t room = from + shown > caret ? from + shown - caret : 1;
    size_t tail = d->span.len > 1 ? (size_t)d->span.len : 1;
    strbuf_pad(b, '~', (tail < room ? tail : room) - 1);
    strbuf_add(b, "\n");
}

char *diag_text(const struct diag *d, struct arena *a)
{
    struct strbuf b = strbuf_make(a);
    if (!d->failed)
        return b.text;
    if (d->file && d->span.line > 0)
        strbuf_addf(&b, "%s:%d:%d: ", d->file, d->span.line, d->span.col);
    else if (d->file)
        strbuf_addf(&b, "%s: ", d->file);
    strbuf_addf(&b, "error: %s\n", d->message);
    if (d->line_text)
        add_excerpt(&b, d);
    return b.text;
}

/* "file:line:col", what follows, the line and a caret. */
static char *place(const struct source *src, struct span at, const char *follows, struct arena *a)
{
    struct source_line shown = source_place(src, at.line);
    struct diag d = {.arena = a, .span = at, .line_text = line_at(src, at.line, a)};
    struct strbuf b = strbuf_make(a);
    d.span.line = shown.line;
    strbuf_addf(&b, "%s:%d:%d%s\n", shown.file, shown.line, at.col, follows);
    if (d.line_text)
        add_excerpt(&b, &d);
    return b.text;
}

char *diag_place(const struct source *src, struct span at, struct arena *a)
{
    return place(src, at, "", a);
}

char *diag_note(const struct source *src, struct span at, const char *text, struct arena *a)
{
    return place(src, at, arena_printf(a, ": note: %s", text), a);
}

void diag_print(const struct diag *d, FILE *out)
{
    struct arena a = {0};
    fputs(diag_text(d, &a), out);
    arena_free(&a);
}

const struct source *source_from_string(struct arena *a, const char *name, const char *text)
{
    struct source *s = arena_new(a, struct source);
    s->name = arena_strdup(a, name);
    s->len = strlen(text);
    s->text = arena_strndup(a, text, s->len);
    return s;
}

/* Of an open file; false with d filled, also when f is NULL. */
static bool read_text(struct arena *a, struct source *s, FILE *f, struct diag *d)
{
    const struct span none = {0};
    struct stat st;
    if (!f || fstat(fileno(f), &st) != 0)
        return diag_error(d, s, none, "cannot open: %s", strerror(errno));
    if (S_ISDIR(st.st_mode))
        return diag_error(d, s, none, "is a directory, expected a file");
    bool large = st.st_size > MAX_SOURCE_BYTES;
    size_t cap = large ? 1 : (size_t)st.st_size + 2;
    char *text = arena_alloc(a, cap);
    /* A pipe does not tell its size: read on until the end. */
    for (size_t got; !large && (got = fread(text + s->len, 1, cap - 1 - s->len, f)) > 0;) {
        s->len += got;
        if (s->len > MAX_SOURCE_BYTES)
            break;
        if (s->len == cap - 1)
            text = vec_grow(a, text, &cap, 1);
    }
    s->text = text;
    if (large || s->len > MAX_SOURCE_BYTES)
        return diag_error(d, s, none, "is larger than %d MiB", MAX_SOURCE_BYTES >> 20);
    if (ferror(f))
        return diag_error(d, s, none, "cannot read: %s", strerror(errno));
    return !memchr(text, '\0', s->len) || diag_error(d, s, none, "holds a NUL byte, expected text");
}

/* Standard input can be read once: who asks again gets the same text, as of a file. */
static const struct source *read_standard(struct diag *d)
{
    static struct arena kept;
    static struct source *standard;
    if (standard)
        return standard;
    struct source *s = arena_new(&kept, struct source);
    s->name = SOURCE_STDIN;
    standard = read_text(&kept, s, stdin, d) ? s : NULL;
    return standard;
}

static int count_lines(const char *text)
{
    int n = 0;
    for (; (text = strchr(text, '\n')); text++)
        n++;
    return n;
}

const struct source *source_join(struct arena *a, const struct source *const *files, size_t n)
{
    struct source *whole = arena_dup(a, files[0], sizeof *whole);
    struct source_part *parts = arena_array(a, struct source_part, n);
    struct strbuf b = strbuf_make(a);
    int line = 1;
    strbuf_add(&b, files[0]->text);
    for (size_t i = 1, from = 0; i < n; i++) {
        if (b.len && b.text[b.len - 1] != '\n')
            strbuf_add(&b, "\n");
        line += count_lines(b.text + from);
        from = b.len;
        parts[i - 1] = (struct source_part){files[i]->name, line, b.len};
        strbuf_add(&b, files[i]->text);
    }
    whole->text = b.text;
    whole->len = b.len;
    whole->parts = parts;
    whole->nparts = n - 1;
    return whole;
}

const struct source *source_read(struct arena *a, const char *path, struct diag *d)
{
    if (!strcmp(path, "-"))
        return read_standard(d);
    struct source *s = arena_new(a, struct source);
    s->name = arena_strdup(a, path);
    FILE *f = fopen(path, "rb");
    bool ok = read_text(a, s, f, d);
    if (f)
        fclose(f);
    return ok && !d->failed ? s : NULL;
}

static size_t edit_distance(const char *x, const char *y)
{
    size_t m = strlen(y), row[MAX_WORD + 1];
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; x[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t best = diagonal + (x[i - 1] != y[j - 1]);
            diagonal = row[j];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[m];
}

bool diag_is_typo(const char *x, size_t n, const char *y)
{
    size_t m = strlen(y), i = 0, k = 0;
    while (i < n && i < m && x[i] == y[i])
        i++;
    while (k < n - i && k < m - i && x[n - 1 - k] == y[m - 1 - k])
        k++;
    size_t left = n - i - k, right = m - i - k; /* between the equal ends */
    bool swapped = left == 2 && right == 2 && x[i] == y[i + 1] && x[i + 1] == y[i];
    return swapped || (left <= 1 && right <= 1 && left + right > 0);
}

const char *diag_nearest(const char *word, const char *const *candidates, size_t n)
{
    const char *best = NULL;
    size_t limit = strlen(word) / 3 + 1, best_distance = limit + 1;
    for (size_t i = 0; i < n; i++) {
        if (strlen(candidates[i]) > MAX_WORD)
            continue;
        size_t distance = edit_distance(word, candidates[i]);
        if (distance < best_distance) {
            best_distance = distance;
            best = candidates[i];
        }
    }
    return best;
}

const char *diag_hint(struct arena *a, const char *word, const char *const *candidates, size_t n)
{
    const char *near = diag_nearest(word, candidates, n);
    return near ? arena_printf(a, "; did you mean '%s'?", near) : "";
}
