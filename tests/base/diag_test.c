/* SPDX-License-Identifier: MIT */
/* Error texts: the place, the line, the caret under the right column. */
#include <unistd.h>

#include "base/diag.h"
#include "tests/support.h"

static const char three_lines[] = "first\n\tsecond = 2\nthird";

/* Error texts over three_lines, in the source "f.py". */
static const struct {
    const char *name;
    struct span at;
    const char *expected;
} rows[] = {
    {"a word", {2, 2, 6}, "f.py:2:2: error: wrong\n    2 |  second = 2\n      |  ^~~~~~\n"},
    {"one byte", {2, 9, 1}, "f.py:2:9: error: wrong\n    2 |  second = 2\n      |         ^\n"},
    {"a place without length", {1, 3, 0}, "f.py:1:3: error: wrong\n    1 | first\n      |   ^\n"},
    {"the last line, which has no newline",
     {3, 1, 5},
     "f.py:3:1: error: wrong\n    3 | third\n      | ^~~~~\n"},
    {"the end of a line", {1, 6, 1}, "f.py:1:6: error: wrong\n    1 | first\n      |      ^\n"},
    {"longer than its line", {1, 4, 99}, "f.py:1:4: error: wrong\n    1 | first\n      |    ^~\n"},
    {"no line", {0, 0, 0}, "f.py: error: wrong\n"},
    {"a line beyond the text", {9, 1, 1}, "f.py:9:1: error: wrong\n"},
};

static const char *error_at(struct arena *a, const struct source *src, struct span at)
{
    struct diag d = {.arena = a};
    cr_expect(!diag_error(&d, src, at, "%s", "wrong") && d.failed);
    return diag_text(&d, a);
}

Test(diag, text)
{
    struct arena a = {0};
    const struct source *src = source_from_string(&a, "f.py", three_lines);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_text(rows[i].name, error_at(&a, src, rows[i].at), rows[i].expected);
    expect_text("no source", error_at(&a, NULL, (struct span){0, 0, 0}), "error: wrong\n");
    const struct source *empty = source_from_string(&a, "e.py", "");
    expect_text("an empty text", error_at(&a, empty, (struct span){1, 1, 1}),
                "e.py:1:1: error: wrong\n    1 | \n      | ^\n");
    arena_free(&a);
}

Test(diag, nothing_is_printed_before_an_error)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    expect_text("no error", diag_text(&d, &a), "");
    arena_free(&a);
}

Test(diag, the_first_error_wins)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const struct source *src = source_from_string(&a, "f.py", three_lines);
    diag_error(&d, src, (struct span){3, 1, 5}, "the cause %d", 1);
    diag_error(&d, src, (struct span){1, 1, 5}, "its echo");
    expect_text("the cause", diag_text(&d, &a),
                "f.py:3:1: error: the cause 1\n    3 | third\n      | ^~~~~\n");
    arena_free(&a);
}

Test(diag, the_printed_text_is_the_same)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    diag_error(&d, source_from_string(&a, "f.py", three_lines), (struct span){1, 1, 5}, "wrong");
    diag_print(&d, out);
    fclose(out);
    expect_text("printed", text, diag_text(&d, &a));
    free(text);
    arena_free(&a);
}

/* Of a line of thousands of bytes a window is shown; the caret stands
 * under its byte all the same. */
Test(diag, long_lines_are_windowed)
{
    enum { LONG = 5000, SHOWN_AT_MOST = 200, MARGIN = 8 };
    static const int columns[] = {1, 2, 80, 81, 82, 159, 160, 161, 162, 2500, 4999, 5000, 5001};
    struct arena a = {0};
    char *line = arena_alloc(&a, LONG + 1);
    for (int i = 0; i < LONG; i++)
        line[i] = (char)('a' + i % 23);
    const struct source *src = source_from_string(&a, "f.py", line);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        int col = columns[i];
        const char *text = error_at(&a, src, (struct span){1, col, 4});
        const char *excerpt = strchr(text, '\n') + 1, *marks = strchr(excerpt, '\n') + 1;
        const char *caret = strchr(marks, '^');
        cr_assert(caret, "column %d: no caret", col);
        cr_expect(marks - excerpt < SHOWN_AT_MOST && strlen(marks) < SHOWN_AT_MOST, "column %d",
                  col);
        cr_expect(caret - marks >= MARGIN, "column %d", col);
        if (col <= LONG)
            cr_expect(excerpt[caret - marks] == line[col - 1] &&
                          caret[1] == (col < LONG ? '~' : '\n'),
                      "column %d: the caret is under '%c'", col, excerpt[caret - marks]);
        else
            cr_expect(excerpt[caret - marks] == '\n', "column %d: the caret is at the end", col);
    }
    arena_free(&a);
}

/* ---- nearest ---- */

static const char *const words[] = {"writeback", "ways", "line", "fabric", "eviction", "dsb_waits"};

static const struct {
    const char *word, *nearest;
} nearest_rows[] = {
    {"writeback", "writeback"},
    {"writebak", "writeback"},
    {"wirteback", "writeback"},
    {"lines", "line"},
    {"lin", "line"},
    {"fabrik", "fabric"},
    {"dsb_wait", "dsb_waits"},
    {"evictions", "eviction"},
    {"zzz", NULL},
    {"colour", NULL},
    {"", NULL},
};

Test(diag, nearest)
{
    for (size_t i = 0; i < sizeof nearest_rows / sizeof *nearest_rows; i++) {
        const char *found = diag_nearest(nearest_rows[i].word, words, sizeof words / sizeof *words);
        const char *expected = nearest_rows[i].nearest ? nearest_rows[i].nearest : "(none)";
        expect_text(nearest_rows[i].word, found ? found : "(none)", expected);
    }
    cr_expect(diag_nearest("line", words, 0) == NULL, "nothing to choose from");
}

Test(diag, nearest_of_long_words)
{
    enum { LONG = 300 };
    char word[LONG + 1];
    memset(word, 'w', LONG);
    word[LONG] = '\0';
    const char *const candidates[] = {word, "line"};
    const char *found = diag_nearest("lime", candidates, 2);
    cr_assert(found);
    expect_text("a long candidate", found, "line");
    cr_expect(diag_nearest(word, words, sizeof words / sizeof *words) == NULL, "a long word");
}

/* ---- files ---- */

static const struct {
    const char *name, *path, *expected;
} file_rows[] = {
    {"no such file", "tests/base/no-such-file",
     "tests/base/no-such-file: error: cannot open: No such file or directory\n"},
    {"a folder", "tests/base", "tests/base: error: is a directory, expected a file\n"},
    {"no path", "", ": error: cannot open: No such file or directory\n"},
};

Test(diag, files_that_cannot_be_read)
{
    struct arena a = {0};
    for (size_t i = 0; i < sizeof file_rows / sizeof *file_rows; i++) {
        struct diag d = {.arena = &a};
        cr_expect(source_read(&a, file_rows[i].path, &d) == NULL);
        expect_text(file_rows[i].name, diag_text(&d, &a), file_rows[i].expected);
    }
    arena_free(&a);
}

static const struct source *read_bytes(struct arena *a, const char *bytes, size_t n, struct diag *d)
{
    char path[] = "/tmp/diag-test-XXXXXX";
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && write(fd, bytes, n) == (ssize_t)n && close(fd) == 0);
    const struct source *s = source_read(a, path, d);
    cr_expect(unlink(path) == 0);
    return s;
}

Test(diag, files_are_read_whole)
{
    enum { LARGE = 300000 };
    struct arena a = {0};
    struct diag d = {.arena = &a};
    char *large = arena_alloc(&a, LARGE + 1);
    memset(large, 'x', LARGE);
    const struct source *s = read_bytes(&a, large, LARGE, &d);
    cr_expect(s && s->len == LARGE && !strcmp(s->text, large), "a large file");
    s = read_bytes(&a, "", 0, &d);
    cr_expect(s && s->len == 0 && *s->text == '\0', "an empty file");
    cr_expect(!read_bytes(&a, "a\0b", 3, &d) && strstr(diag_text(&d, &a), "NUL byte"),
              "a binary file");
    arena_free(&a);
}

/* What a shell's <(...) hands over has no size of its own. */
Test(diag, pipes_are_read_whole)
{
    enum { BYTES = 3000 };
    struct arena a = {0};
    struct diag d = {.arena = &a};
    int ends[2];
    char *text = arena_alloc(&a, BYTES + 1);
    memset(text, 'x', BYTES);
    cr_assert(pipe(ends) == 0 && write(ends[1], text, BYTES) == BYTES && close(ends[1]) == 0);
    const struct source *s = source_read(&a, arena_printf(&a, "/dev/fd/%d", ends[0]), &d);
    cr_expect(s && s->len == BYTES, "%d bytes", s ? (int)s->len : -1);
    arena_free(&a);
}

Test(diag, a_source_owns_its_text)
{
    struct arena a = {0};
    char text[] = "text", name[] = "name";
    const struct source *s = source_from_string(&a, name, text);
    text[0] = name[0] = 'X';
    expect_text("text", s->text, "text");
    expect_text("name", s->name, "name");
    cr_expect(s->len == 4);
    arena_free(&a);
}
