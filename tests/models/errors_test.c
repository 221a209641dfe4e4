/* SPDX-License-Identifier: MIT */
/* Every kind of bad model file gives one error at its place. The files live in a folder of the
 * test's own. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "models/contract.h"
#include "models/toolchain.h"
#include "tests/support.h"

static void write_file(const char *path, const char *text, size_t n)
{
    FILE *f = fopen(path, "wb");
    cr_assert(f && fwrite(text, 1, n, f) == n && fclose(f) == 0, "cannot write %s", path);
}

static void copy_file(struct arena *a, const char *from, const char *to)
{
    struct diag d = {.arena = a};
    const struct source *s = source_read(a, from, &d);
    cr_assert(s, "%s", diag_text(&d, a));
    write_file(to, s->text, s->len);
}

/* Goes to a fresh folder that holds the default contract and profile. Each test is a process of its
 * own. */
static void enter_folder(struct arena *a)
{
    char here[4096], folder[] = "/tmp/models-test-XXXXXX";
    cr_assert(getcwd(here, sizeof here) && mkdtemp(folder) && chdir(folder) == 0);
    cr_assert(mkdir("machines", 0700) == 0 && mkdir("toolchains", 0700) == 0);
    copy_file(a, arena_printf(a, "%s/models/machines/a2a3.model", here), "machines/a2a3.model");
    copy_file(a, arena_printf(a, "%s/models/toolchains/ptoas-0.57.toolchain", here),
              "toolchains/ptoas-0.57.toolchain");
}

static void leave_folder(void)
{
    char folder[4096];
    cr_assert(getcwd(folder, sizeof folder));
    cr_expect(system("rm -rf machines toolchains") == 0 && rmdir(folder) == 0);
}

static const char *contract_error(struct arena *a, const char *name)
{
    struct diag d = {.arena = a};
    bool loaded = contract_load(a, ".", name, &d) != NULL;
    cr_expect(loaded != d.failed, "%s: loaded or an error", name);
    return diag_text(&d, a);
}

#define AT(line, col, message, text, caret)                                                        \
    "./machines/bad.model:" #line ":" #col ": error: " message "\n    " #line " | " text           \
    "\n      | " caret "\n"
#define HEIR "[model]\ninherit = a2a3\n"
#define DIST "'fixed n', 'uniform a b', 'tail a b p n' or 'log a b', in cycles"

static const struct {
    const char *name, *text, *expected;
} rows[] = {
    {"a good heir", HEIR "[semantics]\nwriteback = word\n", ""},
    {"lines may end in CR LF", "[model]\r\ninherit = a2a3\r\n[semantics]\r\nwriteback = word\r\n",
     ""},
    {"an unknown key, and one like it", HEIR "[semantics]\nwritebak = line\n",
     AT(4, 1,
        "unknown key 'writebak' in section [semantics] of a machine contract; did you mean "
        "'writeback'?",
        "writebak = line", "^~~~~~~~")},
    {"an unknown key, nothing like it", HEIR "[semantics]\n  colour = red\n",
     AT(4, 3, "unknown key 'colour' in section [semantics] of a machine contract", "  colour = red",
        "  ^~~~~~")},
    {"a key of another section", HEIR "[cost]\nwritebac = line\n",
     AT(4, 1,
        "unknown key 'writebac' in section [cost] of a machine contract; did you mean "
        "'writeback'?",
        "writebac = line", "^~~~~~~~")},
    {"a key twice", HEIR "[semantics]\nack = egress\nack = egress\n",
     AT(5, 1, "key 'ack' stands twice", "ack = egress", "^~~")},
    {"a key twice, in a section that comes twice",
     HEIR "[semantics]\nack = egress\n[geometry]\nways = 2\n[semantics]\nack = egress\n",
     AT(8, 1, "key 'ack' stands twice", "ack = egress", "^~~")},
    {"an enum", HEIR "[semantics]\nwriteback = lines\n",
     AT(4, 1, "'writeback = lines': expected line|word", "writeback = lines", "^~~~~~~~~")},
    {"an enum in capitals", HEIR "[semantics]\nack = Egress\n",
     AT(4, 1, "'ack = Egress': expected destination|egress", "ack = Egress", "^~~")},
    {"an empty enum", HEIR "[semantics]\nack =\n",
     AT(4, 1, "'ack = ': expected destination|egress", "ack =", "^~~")},
    {"a truth value", HEIR "[semantics]\ncoherent = maybe\n",
     AT(4, 1, "'coherent = maybe': expected yes|no", "coherent = maybe", "^~~~~~~~")},
    {"an integer below its range", HEIR "[geometry]\nways = 0\n",
     AT(4, 1, "'ways = 0': expected an integer from 1 to 64", "ways = 0", "^~~~")},
    {"an integer above its range", HEIR "[geometry]\nways = 65\n",
     AT(4, 1, "'ways = 65': expected an integer from 1 to 64", "ways = 65", "^~~~")},
    {"an integer far above it", HEIR "[geometry]\nways = 1e99\n",
     AT(4, 1, "'ways = 1e99': expected an integer from 1 to 64", "ways = 1e99", "^~~~")},
    {"a fraction for an integer", HEIR "[geometry]\nways = 2.5\n",
     AT(4, 1, "'ways = 2.5': expected an integer from 1 to 64", "ways = 2.5", "^~~~")},
    {"a word for an integer", HEIR "[geometry]\nways = four\n",
     AT(4, 1, "'ways = four': expected an integer from 1 to 64", "ways = four", "^~~~")},
    {"a number with a unit", HEIR "[geometry]\nways = 4B\n",
     AT(4, 1, "'ways = 4B': expected an integer from 1 to 64", "ways = 4B", "^~~~")},
    {"a number below its range", HEIR "[adversary]\nslow_agents = -0.1\n",
     AT(4, 1, "'slow_agents = -0.1': expected a number from 0 to 1", "slow_agents = -0.1",
        "^~~~~~~~~~~")},
    {"no number", HEIR "[adversary]\nslow_agents = nan\n",
     AT(4, 1, "'slow_agents = nan': expected a number from 0 to 1", "slow_agents = nan",
        "^~~~~~~~~~~")},
    {"a distribution that is none", HEIR "[cost]\ndsb = normal 1 2\n",
     AT(4, 1, "'dsb = normal 1 2': expected " DIST, "dsb = normal 1 2", "^~~")},
    {"a distribution without values", HEIR "[cost]\ndsb = fixed\n",
     AT(4, 1, "'dsb = fixed': expected " DIST, "dsb = fixed", "^~~")},
    {"too many values", HEIR "[cost]\ndsb = fixed 1 2\n",
     AT(4, 1, "'dsb = fixed 1 2': expected " DIST, "dsb = fixed 1 2", "^~~")},
    {"too few values", HEIR "[cost]\ndsb = tail 1 2 0.5\n",
     AT(4, 1, "'dsb = tail 1 2 0.5': expected " DIST, "dsb = tail 1 2 0.5", "^~~")},
    {"a negative latency", HEIR "[cost]\ndsb = fixed -1\n",
     AT(4, 1, "'dsb = fixed -1': expected " DIST, "dsb = fixed -1", "^~~")},
    {"bounds in the wrong order", HEIR "[cost]\ndsb = uniform 5 2\n",
     AT(4, 1, "'dsb = uniform 5 2': expected " DIST, "dsb = uniform 5 2", "^~~")},
    {"a probability above one", HEIR "[cost]\ndsb = tail 1 2 1.5 3\n",
     AT(4, 1, "'dsb = tail 1 2 1.5 3': expected " DIST, "dsb = tail 1 2 1.5 3", "^~~")},
    {"a logarithm of nothing", HEIR "[cost]\ndsb = log 0 5\n",
     AT(4, 1, "'dsb = log 0 5': expected " DIST, "dsb = log 0 5", "^~~")},
    {"a value with a unit", HEIR "[cost]\ndsb = fixed 5ns\n",
     AT(4, 1, "'dsb = fixed 5ns': expected " DIST, "dsb = fixed 5ns", "^~~")},
    {"not a number", HEIR "[cost]\ndsb = fixed nan\n",
     AT(4, 1, "'dsb = fixed nan': expected " DIST, "dsb = fixed nan", "^~~")},
    {"a key behind a section", HEIR "[cost] dsb = fixed 5\n",
     AT(3, 8, "nothing stands behind a [section] on its line", "[cost] dsb = fixed 5", "       ^")},
    {"a section that does not close", HEIR "[cost\ndsb = fixed 5\n",
     AT(3, 1, "expected '[section]' or 'key = value'", "[cost", "^")},
    {"a line that is no key", HEIR "[cost]\ndsb\n",
     AT(4, 1, "expected '[section]' or 'key = value'", "dsb", "^")},
    {"the first of two errors", HEIR "[cost]\ndsb\nwritebac = 3\n",
     AT(4, 1, "expected '[section]' or 'key = value'", "dsb", "^")},
    {"no parent of that name", "[model]\ninherit = a2a4\n",
     AT(2, 1, "no machine contract 'a2a4' (looked in ./machines); did you mean 'a2a3'?",
        "inherit = a2a4", "^~~~~~~")},
    {"its own parent", "[model]\ninherit = bad\n",
     AT(2, 1, "more than 8 files inherit from each other", "inherit = bad", "^~~~~~~")},
    {"two parents", "[model]\ninherit = a2a3\ninherit = a2a3\n",
     AT(3, 1, "key 'inherit' stands twice", "inherit = a2a3", "^~~~~~~")},
    {"a line of bytes that is no power of two", HEIR "[geometry]\nline = 48\n",
     AT(4, 1, "line = 48: expected a power of two", "line = 48", "^~~~")},
    {"chunks that are no lines", HEIR "[semantics]\ndma_chunk = 96\n",
     AT(4, 1, "dma_chunk = 96: expected a multiple of line = 64", "dma_chunk = 96", "^~~~~~~~~")},
    {"a cache that is no sets", HEIR "[geometry]\ncache_bytes = 1000\n",
     AT(4, 1, "cache_bytes = 1000: expected a multiple of line x ways = 256", "cache_bytes = 1000",
        "^~~~~~~~~~~")},
    {"a missing key", "[model]\ndoc = alone\n",
     "./machines/bad.model: error: key 'coherent' of section [semantics] is missing\n"},
    {"an empty file", "", "./machines/bad.model: error: key 'doc' of section [model] is missing\n"},
};

Test(model_errors, each_has_its_place)
{
    struct arena a = {0};
    enter_folder(&a);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_file("machines/bad.model", rows[i].text, strlen(rows[i].text));
        expect_text(rows[i].name, contract_error(&a, "bad"), rows[i].expected);
    }
    leave_folder();
    arena_free(&a);
}

static const struct {
    const char *name, *model, *expected;
} name_rows[] = {
    {"a name like another", "a2a2",
     "error: no machine contract 'a2a2' (looked in ./machines); did you mean 'a2a3'?\n"},
    {"a name like no other", "quantum",
     "error: no machine contract 'quantum' (looked in ./machines)\n"},
    {"no name", "", "error: no machine contract '' (looked in ./machines)\n"},
    {"a path to nothing", "./nothing.model",
     "./nothing.model: error: cannot open: No such file or directory\n"},
    {"a folder", "machines/folder.model",
     "machines/folder.model: error: is a directory, expected a file\n"},
    {"a binary file", "machines/binary.model",
     "machines/binary.model: error: holds a NUL byte, expected text\n"},
    {"a path to a good file", "machines/a2a3.model", ""},
};

Test(model_errors, names)
{
    struct arena a = {0};
    enter_folder(&a);
    cr_assert(mkdir("machines/folder.model", 0700) == 0);
    write_file("machines/binary.model", "[model]\0", 8);
    for (size_t i = 0; i < sizeof name_rows / sizeof *name_rows; i++)
        expect_text(name_rows[i].name, contract_error(&a, name_rows[i].model),
                    name_rows[i].expected);
    leave_folder();
    arena_free(&a);
}

/* A ring of two, and a chain that is long but ends. */
Test(model_errors, inheritance)
{
    struct arena a = {0};
    enter_folder(&a);
    write_file("machines/bad.model", "[model]\ninherit = worse\n", 24);
    write_file("machines/worse.model", "[model]\ninherit = bad\n", 22);
    expect_text(
        "a ring", contract_error(&a, "bad"),
        AT(2, 1, "more than 8 files inherit from each other", "inherit = worse", "^~~~~~~"));
    const char *parent = "a2a3";
    for (int i = 0; i < 6; i++) {
        const char *name = arena_printf(&a, "chain%d", i);
        const char *text =
            arena_printf(&a, "[model]\ninherit = %s\n[geometry]\nways = %d\n", parent, 1 << i);
        write_file(arena_printf(&a, "machines/%s.model", name), text, strlen(text));
        parent = name;
    }
    struct diag d = {.arena = &a};
    const struct contract *c = contract_load(&a, ".", "chain5", &d);
    cr_assert(c, "%s", diag_text(&d, &a));
    cr_expect(c->ways == 32, "the heir's value stands: %d", c->ways);
    leave_folder();
    arena_free(&a);
}

/* A section that does not exist is the mistake, not the key in it. */
Test(model_errors, a_misspelt_section)
{
    struct arena a = {0};
    enter_folder(&a);
    const char *text = HEIR "[semantic]\nwriteback = word\n";
    write_file("machines/bad.model", text, strlen(text));
    const char *error = contract_error(&a, "bad");
    cr_expect(strstr(error, "./machines/bad.model:") == error && strstr(error, "[semantic]"), "%s",
              error);
    cr_expect(!strstr(error, "did you mean 'writeback'"), "suggests what stands there: %s", error);
    leave_folder();
    arena_free(&a);
}

/* Lines beyond what the INI reader's buffer holds are errors at their place; comments may have any
 * length. */
Test(model_errors, long_lines)
{
    enum { LONG = 5000 };
    struct arena a = {0};
    enter_folder(&a);
    char *word = arena_alloc(&a, LONG + 1);
    memset(word, 'w', LONG);
    const char *text = arena_printf(&a, HEIR "# %s\n[geometry]\nways = 2\n", word);
    write_file("machines/bad.model", text, strlen(text));
    expect_text("a long comment", contract_error(&a, "bad"), "");
    text = arena_printf(&a, HEIR "doc = %s\n", word);
    write_file("machines/bad.model", text, strlen(text));
    const char *error = contract_error(&a, "bad");
    cr_expect(
        strstr(error, "./machines/bad.model:3:1: error: the line has more than 199 characters") ==
            error,
        "a long value: %.100s", error);
    text = arena_printf(&a, HEIR "[geometry]\n%s = 2\n", word);
    write_file("machines/bad.model", text, strlen(text));
    error = contract_error(&a, "bad");
    cr_expect(strstr(error, "./machines/bad.model:4:1: error: ") == error, "a long key: %.100s",
              error);
    leave_folder();
    arena_free(&a);
}

/* ---- profiles share the reader ---- */

static const struct {
    const char *name, *text, *expected;
} toolchain_rows[] = {
    {"a good heir", "[model]\ninherit = ptoas-0.57\n[lowering]\nfence = fence3\n", ""},
    {"an unknown key", "[model]\ninherit = ptoas-0.57\n[lowering]\nfences = fence3\n",
     "./toolchains/bad.toolchain:4:1: error: unknown key 'fences' in section [lowering] of a "
     "toolchain "
     "profile; did you mean 'fence'?\n    4 | fences = fence3\n      | ^~~~~~\n"},
    {"an enum", "[model]\ninherit = ptoas-0.57\n[lowering]\nfence = fence4\n",
     "./toolchains/bad.toolchain:4:1: error: 'fence = fence4': expected fence3|fence_all|dsb\n"
     "    4 | fence = fence4\n      | ^~~~~\n"},
    {"a missing key", "[model]\ndoc = alone\n",
     "./toolchains/bad.toolchain: error: key 'region_cacheinvalid' of section [lowering] is "
     "missing\n"},
};

static const char *toolchain_error(struct arena *a, const char *name)
{
    struct diag d = {.arena = a};
    bool loaded = toolchain_load(a, ".", name, &d) != NULL;
    cr_expect(loaded != d.failed, "%s: loaded or an error", name);
    return diag_text(&d, a);
}

Test(model_errors, toolchains)
{
    struct arena a = {0};
    enter_folder(&a);
    for (size_t i = 0; i < sizeof toolchain_rows / sizeof *toolchain_rows; i++) {
        write_file("toolchains/bad.toolchain", toolchain_rows[i].text,
                   strlen(toolchain_rows[i].text));
        expect_text(toolchain_rows[i].name, toolchain_error(&a, "bad"), toolchain_rows[i].expected);
    }
    expect_text("an unknown name", toolchain_error(&a, "ptoas-0.58"),
                "error: no toolchain profile 'ptoas-0.58' (looked in ./toolchains); did you mean "
                "'ptoas-0.57'?\n");
    leave_folder();
    arena_free(&a);
}
