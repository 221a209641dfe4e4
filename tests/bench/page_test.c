/* SPDX-License-Identifier: MIT */
/* fencebench report: the page is whole, escaped, needs nothing but itself, and shows each finding. */
#include <criterion/criterion.h>
#include <ctype.h>
#include <string.h>

#include "tests/bench/session.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

enum { DEEPEST = 64, NAME = 32 };

static bool is_void(const char *tag)
{
    return !strcmp(tag, "meta") || !strcmp(tag, "img");
}

/* Behind a tag's attributes, each NAME="VALUE"; *empty: it ends in "/>". */
static const char *attributes(const char *p, bool *empty)
{
    *empty = false;
    for (;;) {
        p += strspn(p, " \n");
        if (*p == '>')
            return p + 1;
        if (p[0] == '/' && p[1] == '>') {
            *empty = true;
            return p + 2;
        }
        size_t name = strcspn(p, "=> \n/");
        cr_assert(name > 0, "an attribute: %.40s", p);
        p += name;
        if (*p != '=') /* such as open */
            continue;
        cr_assert(p[1] == '"', "without quotes: %.40s", p);
        const char *end = strchr(p + 2, '"');
        cr_assert(end && !memchr(p, '<', (size_t)(end - p)), "a value: %.40s", p);
        p = end + 1;
    }
}

/* What stands between tags has no bare '<', '>' or '&'. */
static const char *content(const char *p)
{
    for (; *p && *p != '<'; p++) {
        cr_assert(*p != '>', "a bare >: %.40s", p - 20);
        if (*p == '&')
            cr_assert(!strncmp(p, "&amp;", 5) || !strncmp(p, "&lt;", 4) || !strncmp(p, "&gt;", 4) ||
                          !strncmp(p, "&quot;", 6) || !strncmp(p, "&#39;", 5),
                      "a bare &: %.40s", p);
    }
    return p;
}

/* Tags are balanced, values quoted, texts escaped. */
static void expect_whole(const char *page)
{
    static const char start[] = "<!DOCTYPE html>\n";
    char open[DEEPEST][NAME];
    int depth = 0;
    cr_assert(!strncmp(page, start, sizeof start - 1));
    for (const char *p = content(page + sizeof start - 1); *p; p = content(p)) {
        bool closing = p[1] == '/', empty;
        p += 1 + closing;
        char tag[NAME] = "";
        for (size_t n = 0; isalnum((unsigned char)*p) && n < NAME - 1; n++)
            tag[n] = *p++;
        cr_assert(*tag, "no tag: %.40s", p);
        p = attributes(p, &empty);
        if (closing)
            cr_assert(depth > 0 && !strcmp(open[--depth], tag), "</%s>: %.60s", tag, p);
        else if (!empty && !is_void(tag))
            strcpy(open[depth++], tag);
        cr_assert(depth < DEEPEST);
        if (!strcmp(tag, "style") && !closing)
            p = strstr(p, "</style>");
    }
    cr_expect_eq(depth, 0, "%d tags are open, the last is %s", depth, open[depth ? depth - 1 : 0]);
}

/* Nothing is fetched or run. */
static void expect_alone(const char *page)
{
    static const char *const foreign[] = {"http:", "https:", "<script", "<link", "@import", "url("};
    for (size_t i = 0; i < COUNT(foreign); i++)
        cr_expect(!strstr(page, foreign[i]), "%s", foreign[i]);
    for (const char *p = page; (p = strstr(p, " src=\"")); p++)
        cr_expect(!strncmp(p, " src=\"data:", 11), "%.60s", p);
}

/* Every link leads to a place of the page. */
static void expect_anchored(struct session *s, const char *page)
{
    for (const char *p = page; (p = strstr(p, "href=\"#")); p++) {
        const char *name = p + 7;
        const char *id = arena_printf(&s->arena, " id=\"%.*s\"", (int)strcspn(name, "\""), name);
        cr_expect(strstr(page, id), "%s", id);
    }
}

static const char *page_of(struct session *s, const char *args)
{
    struct session_result r = session_shell(s, arena_printf(&s->arena, "$F report %s", args));
    cr_assert_eq(r.code, 0, "%s", r.err);
    cr_assert_str_eq(r.err, "");
    expect_whole(r.out);
    expect_alone(r.out);
    expect_anchored(s, r.out);
    return r.out;
}

static void expect_parts(const char *page, const char *const *parts)
{
    for (; *parts; parts++)
        cr_expect(strstr(page, *parts), "%s", *parts);
}

static size_t count(const char *text, const char *part)
{
    size_t n = 0;
    for (; (text = strstr(text, part)); text++)
        n++;
    return n;
}

/* Both sides of the finding, its diagram with a lane for each of two ranks, and the line that makes the
 * run again. The reset of the signal behind the wait is not in the picture: it has four marks of the
 * signal (store, post, delivery, read), and the data's store, fault and late delivery. */
Test(page, a_finding)
{
    static const char *const parts[] = {
        "1 case: 0 clean, 1 with findings, 0 unfinished.",
        "<pre>part = pl.load(win, [0, k * CHUNK], [1, CHUNK])</pre>",
        "<pre>pld.tile.put(win, peer, inp, stage, [0, 0], [0, 0], [1, SIZE], "
        "atomic=pld.AtomicType.None_)</pre>",
        "<th>where the fresh value was</th><td>in flight</td>",
        "fencebench run ",
        " --markers=off --seed=1</code>",
        ">rank 0</text>",
        ">rank 1</text>",
        "<li class=\"bad\">rank 1, mte2: reads win[0..63]@1 = 0, 0, 0, 0, ... from the initial "
        "value (line 34, cycle ",
        ": stale read at win[0]@1</li>",
        "reads sig[0]@1 = 1 from rank 0, line 29 (line 30, cycle ",
        NULL};
    struct session s;
    session_open(&s);
    session_shell(&s, "$F check -P 2 --markers=off --json $K/put_ring.py >r.json");
    const char *page = page_of(&s, "r.json");
    expect_parts(page, parts);
    const char *svg = strstr(page, "<svg"), *end = strstr(page, "</svg>");
    cr_assert(svg && end);
    const char *first = arena_strndup(&s.arena, svg, (size_t)(end - svg));
    cr_expect_eq(count(first, "class=\"number\""), 7, "%s", first);
    cr_expect_eq(count(first, "class=\"fault\""), 1, "%s", first);
    cr_expect_eq(count(first, "class=\"way signal\""), 3, "%s", first);
    session_close(&s);
}

/* A folder: cases of several files with their answers, a sweep, pictures; other files are left alone. */
Test(page, a_folder)
{
    static const char *const parts[] = {
        "<td class=\"good\">clean, proved</td>",
        "<td class=\"bad\">findings</td>",
        "<h2>Removed markers: d/s.db</h2>",
        "<img alt=\"d/a.png\" src=\"data:image/png;base64,YWJj\">",
        "<img alt=\"d/b.svg\" src=\"data:image/svg+xml;base64,YWI=\">",
        NULL};
    struct session s;
    session_open(&s);
    session_shell(&s, "mkdir d; $F check -P 2 --json $K/put_ring.py >d/on.json;"
                      "$F run -P 2 --markers=off --json $K/put_ring.py >d/run.json;"
                      "$F sweep -P 2 --runs=5 --db=d/s.db $K/scalar_publish.py >/dev/null;"
                      "printf abc >d/a.png; printf ab >d/b.svg; echo '<' >d/notes.txt");
    expect_parts(page_of(&s, "d"), parts);
    session_close(&s);
}

/* What a file says is text, whatever it is; only lines of run are run. */
Test(page, texts_are_escaped)
{
    static const char *const parts[] = {"&lt;b&gt;&amp;&quot;&#39;", "No diagram: ", NULL};
    struct session s;
    session_open(&s);
    session_write(
        &s, "r.json",
        "{\"results\": [{\"kernel\": \"<b>&\\\"'\", \"model\": \"</td>\", \"ranks\": 2, "
        "\"findings\": [{\"verdict\": \"<script>\", \"address\": \"&\", \"first_seed\": 1, "
        "\"reader\": {\"file\": \"a<b\", \"source\": \"x < y\\u0001\"}}], "
        "\"replay\": \"touch gone\"}]}");
    expect_parts(page_of(&s, "r.json --title='<i>'"), parts);
    cr_expect_eq(session_shell(&s, "test -e gone").code, 1);
    session_write(&s, "r.json",
                  "{\"result\": {\"kernel\": \"k\", \"ranks\": 2, \"findings\": "
                  "[{\"verdict\": \"race\", \"first_seed\": 1}], "
                  "\"replay\": \"fencebench run none.py -P 2 --frob\"}}");
    expect_parts(page_of(&s, "r.json"), parts + 1);
    session_close(&s);
}

Test(page, errors)
{
    static const struct {
        const char *make, *args, *err;
    } rows[] = {
        {"true", "none.json", "none.json: error: cannot open: No such file or directory\n"},
        {"mkdir d", "d", "d: error: has no .json, .db, .sqlite, .svg or .png\n"},
        {"echo '{}' >r.json", "r.json",
         "r.json: error: is no report of check, explore, run, lint or sweep\n"},
        {"echo '{' >r.json", "r.json", "r.json:2:1: error: "},
        {"echo x >r.db", "r.db", "r.db: error: "},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct session s;
        session_open(&s);
        session_shell(&s, rows[i].make);
        struct session_result r =
            session_shell(&s, arena_printf(&s.arena, "$F report -o page.html %s", rows[i].args));
        cr_expect_eq(r.code, 2, "%s", rows[i].args);
        cr_expect(!strncmp(r.err, rows[i].err, strlen(rows[i].err)), "%s: %s", rows[i].args, r.err);
        cr_expect_eq(session_shell(&s, "test -e page.html").code, 1, "%s", rows[i].args);
        session_close(&s);
    }
}
