/* SPDX-License-Identifier: MIT */
/*
 * What README and docs say can be typed: each command with its options, each file, each target of make,
 * each link; and README names every page of docs. What the commands print is made by scripts.
 */
#include <criterion/criterion.h>
#include <ctype.h>
#include <glob.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "tests/bench/session.h"

struct page {
    struct session s;
    const char *path, *text;
    size_t commands, links;
};

static const char *text_of(struct page *p, const char *path)
{
    struct diag d = {.arena = &p->s.arena};
    const struct source *source = source_read(&p->s.arena, path, &d);
    cr_assert(source, "%s", diag_text(&d, &p->s.arena));
    return source->text;
}

static int line_of(const struct page *p, const char *at)
{
    int line = 1;
    for (const char *c = p->text; c < at; c++)
        line += *c == '\n';
    return line;
}

static bool is_file(const char *path)
{
    return access(path, R_OK) == 0;
}

/* The letters at the start of text that are of a set. */
static const char *span_of(struct page *p, const char *text, const char *set)
{
    return arena_strndup(&p->s.arena, text, strspn(text, set));
}
#define LETTERS "abcdefghijklmnopqrstuvwxyz"
#define NAMES   LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./"

/* ---- commands ---- */

/* An option is one of the help's, a path that names a file is there. */
static void look_at_word(struct page *p, const char *command, const char *help, const char *word)
{
    static const char *const folders[] = {"kernels/", "litmus/", "models/", "scripts/", "docs/"};
    if (!strncmp(word, "--", 2)) {
        const char *option = span_of(p, word, LETTERS "-");
        cr_expect(strstr(help, option), "%s: fencebench %s has no %s", p->path, command, option);
    } else if (*word == '-' && isalpha((unsigned char)word[1]) && !word[2]) {
        cr_expect(strstr(help, arena_printf(&p->s.arena, "  %s,", word)),
                  "%s: fencebench %s has no %s", p->path, command, word);
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (!strncmp(word, folders[i], strlen(folders[i])) && !word[strspn(word, NAMES)])
            cr_expect(is_file(word), "%s: no file %s", p->path, word);
}

/* text: behind "fencebench ". */
static void look_at_command(struct page *p, const char *text)
{
    const char *name = span_of(p, text, LETTERS);
    struct session_result r = session_shell(
        &p->s, arena_printf(&p->s.arena, "[ -f %s ] || $F %s --help > %s 2>&1; cat %s", name, name,
                            name, name));
    if (strncmp(r.out, "Usage: fencebench ", strlen("Usage: fencebench ")) != 0)
        return; /* a sentence that has the name */
    p->commands++;
    size_t len = strcspn(text, "`\n|");
    const char *end = text + len;
    for (text += strlen(name); text < end;) {
        text += strspn(text, " ");
        size_t n = strcspn(text, " `\n|");
        const char *word = arena_strndup(&p->s.arena, text, n);
        while (n && strchr(".,;:)'\"", word[n - 1]))
            word = arena_strndup(&p->s.arena, text, --n);
        look_at_word(p, name, r.out, word);
        text += strcspn(text, " `\n|");
    }
}

/* ---- links ---- */

/* As the hosts of Markdown make it of a heading. */
static const char *anchor_of(struct page *p, const char *heading)
{
    char *out = arena_strndup(&p->s.arena, heading, strcspn(heading, "\n")), *to = out;
    for (const char *c = out; *c; c++)
        if (isalnum((unsigned char)*c) || *c == '-' || *c == '_' || *c == ' ')
            *to++ = *c == ' ' ? '-' : (char)tolower((unsigned char)*c);
    *to = '\0';
    return out;
}

static bool has_anchor(struct page *p, const char *text, const char *anchor)
{
    if (strstr(text, arena_printf(&p->s.arena, "id=\"%s\"", anchor)))
        return true;
    for (const char *at = text; (at = strstr(at, "\n#")); at++)
        if (!strcmp(anchor_of(p, at + 1 + strspn(at + 1, "# ")), anchor))
            return true;
    return false;
}

/* text: behind "](". */
static void look_at_link(struct page *p, const char *text)
{
    const char *target = arena_strndup(&p->s.arena, text, strcspn(text, ")")),
               *hash = strchr(target, '#'), *slash = strrchr(p->path, '/');
    if (strstr(target, "://"))
        return;
    p->links++;
    size_t n = hash ? (size_t)(hash - target) : strlen(target);
    const char *path =
        n == 0 ? p->path
               : arena_printf(&p->s.arena, "%.*s%.*s", slash ? (int)(slash - p->path) + 1 : 0,
                              p->path, (int)n, target);
    cr_expect(is_file(path), "%s:%d: no file %s", p->path, line_of(p, text), path);
    if (hash && is_file(path) && strstr(path, ".md"))
        cr_expect(has_anchor(p, text_of(p, path), hash + 1), "%s:%d: %s has no heading %s", p->path,
                  line_of(p, text), path, hash);
}

static void look_at_target(struct page *p, const char *makefile, const char *text)
{
    const char *target = span_of(p, text, LETTERS "-");
    cr_expect(!*target || strstr(makefile, arena_printf(&p->s.arena, "\n%s:", target)),
              "%s:%d: make has no target %s", p->path, line_of(p, text), target);
}

static void look_at_page(struct page *p, const char *path)
{
    static const char command[] = "fencebench ", make[] = "`make ", link[] = "](";
    const char *makefile = text_of(p, "Makefile");
    p->path = path;
    p->text = text_of(p, path);
    for (const char *at = p->text; (at = strstr(at, command)); at++)
        if (islower((unsigned char)at[strlen(command)]))
            look_at_command(p, at + strlen(command));
    for (const char *at = p->text; (at = strstr(at, make)); at++)
        look_at_target(p, makefile, at + strlen(make));
    for (const char *at = p->text; (at = strstr(at, link)); at++)
        look_at_link(p, at + strlen(link));
}

Test(docs, can_be_typed, .timeout = 120)
{
    struct page p = {.path = ""};
    glob_t g;
    session_open(&p.s);
    cr_assert(glob("docs/*.md", 0, NULL, &g) == 0);
    look_at_page(&p, "README.md");
    const char *readme = p.text;
    for (size_t i = 0; i < g.gl_pathc; i++) {
        look_at_page(&p, g.gl_pathv[i]);
        cr_expect(strstr(readme, arena_printf(&p.s.arena, "(%s", g.gl_pathv[i])),
                  "README.md does not name %s", g.gl_pathv[i]);
    }
    cr_expect(p.commands > 100 && p.links > 50, "%zu commands, %zu links", p.commands, p.links);
    globfree(&g);
    session_close(&p.s);
}
