/* SPDX-License-Identifier: MIT */
#include "bench/report/patch.h"

#include <string.h>

#include "base/strbuf.h"

enum { CONTEXT = 3 };

struct patch {
    struct arena *arena;
    const remedy_calls *calls;
    VEC(const char *) lines; /* of the file, without their ends */
    bool ended;              /* the last line has an end */
};

static void split(struct patch *p, const char *text, size_t size)
{
    for (const char *at = text; at < text + size;) {
        size_t len = strcspn(at, "\n");
        vec_push(p->arena, &p->lines, arena_strndup(p->arena, at, len));
        p->ended = at[len] == '\n';
        at += len + p->ended;
    }
}

/* Calls between a line, from 0 on, and the next. */
static int calls_behind(const struct patch *p, int line)
{
    int n = 0;
    vec_foreach (const struct remedy_call, c, p->calls)
        n += (c->after ? c->line : c->line - 1) == line;
    return n;
}

static void add_calls(const struct patch *p, struct strbuf *b, int line, bool after)
{
    vec_foreach (const struct remedy_call, c, p->calls)
        if (c->line == line && c->after == after)
            strbuf_addf(b, "+%*s%s\n", c->col - 1, "", c->call);
}

static void add_line(const struct patch *p, struct strbuf *b, int line)
{
    static const char no_end[] = "\\ No newline at end of file\n";
    const char *text = p->lines.items[line - 1];
    bool open = line == (int)p->lines.len && !p->ended, ends = open && calls_behind(p, line);
    strbuf_addf(b, "%c%s\n%s", ends ? '-' : ' ', text, open ? no_end : "");
    if (ends)
        strbuf_addf(b, "+%s\n", text);
}

/* Lines first to last and what stands between them. moved: calls in front of that. */
static int add_hunk(const struct patch *p, struct strbuf *b, int first, int last, int moved)
{
    struct strbuf body = strbuf_make(p->arena);
    int added = 0;
    for (int line = first - 1; line <= last; line++) {
        if (line >= first)
            add_line(p, &body, line);
        if (line < first && line > 0)
            continue;
        added += calls_behind(p, line);
        add_calls(p, &body, line, true);
        add_calls(p, &body, line + 1, false);
    }
    int old = last - first + 1;
    strbuf_addf(b, "@@ -%d,%d +%d,%d @@\n%s", first, old, first + moved, old + added, body.text);
    return added;
}

/* The patch of one file, whose text and calls are all there is. */
static void add_file(struct strbuf *b, const struct patch *p, const char *name)
{
    int n = (int)p->lines.len, moved = 0;
    if (p->calls->len)
        strbuf_addf(b, "--- %s\n+++ %s\n", name, name);
    for (int line = 0; line <= n; line++) {
        if (!calls_behind(p, line))
            continue;
        int first = line < CONTEXT ? 1 : line - CONTEXT + 1, last = line;
        for (int next = line; next <= n && next <= last + 2 * CONTEXT; next++)
            last = calls_behind(p, next) ? next : last;
        line = last;
        last = last + CONTEXT > n ? n : last + CONTEXT;
        moved += add_hunk(p, b, first, last, moved);
    }
}

const char *patch_text(struct arena *a, const struct source *s, const remedy_calls *calls)
{
    struct strbuf b = strbuf_make(a);
    for (size_t i = 0; i <= s->nparts; i++) {
        const struct source_part own = {s->name, 1, 0}, *part = i ? &s->parts[i - 1] : &own;
        bool last = i == s->nparts;
        size_t end = last ? s->len : s->parts[i].offset;
        remedy_calls here = {0};
        struct patch p = {.arena = a, .calls = &here};
        vec_foreach (const struct remedy_call, c, calls) {
            struct remedy_call moved = *c;
            moved.line -= part->first_line - 1;
            if (moved.line > 0 && (last || c->line < s->parts[i].first_line))
                vec_push(a, &here, moved);
        }
        split(&p, s->text + part->offset, end - part->offset);
        add_file(&b, &p, part->name);
    }
    return b.text;
}
