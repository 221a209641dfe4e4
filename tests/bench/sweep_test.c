/* SPDX-License-Identifier: MIT */
/*
 * What a sweep says of markers whose part is known. The classes follow from the hazards of hw-facts 5
 * and the lowering of pypto-facts 5, not from the tool.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/strbuf.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* `fencebench sweep WORDS` on a file with the text: its exit status, and the rows. */
static json_t *sweep_of(struct arena *a, const char *words, const char *text, int *code)
{
    char folder[] = "/tmp/fencebench-sweep-XXXXXX";
    const char *given = getenv("FENCEBENCH"), *binary = given ? given : "build/fencebench";
    cr_assert(mkdtemp(folder) != NULL);
    FILE *f = fopen(arena_printf(a, "%s/k.py", folder), "w");
    cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
    int status = system(arena_printf(a, "'%s' sweep --json --runs=30 %s %s/k.py >%s/out 2>&1",
                                     binary, words, folder, folder));
    cr_assert(WIFEXITED(status));
    *code = WEXITSTATUS(status);
    json_t *top = json_load_file(arena_printf(a, "%s/out", folder), 0, NULL);
    cr_assert(top, "sweep %s: no JSON, status %d", words, *code);
    cr_expect(system(arena_printf(a, "rm -r %s", folder)) == 0);
    return top;
}

static const char *read_text(struct arena *a, const char *path)
{
    struct diag d = {.arena = a};
    const struct source *s = source_read(a, path, &d);
    cr_assert(s, "%s", diag_text(&d, a));
    return s->text;
}

static const char *field(const json_t *row, const char *name)
{
    return json_string_value(json_object_get(row, name));
}

/* The row of a mutant, or NULL. */
static const json_t *row_of(const json_t *top, const char *level, const char *what, int line)
{
    size_t i;
    const json_t *row;
    json_array_foreach(json_object_get(top, "results"), i, row)
    {
        if (!strcmp(field(row, "level"), level) && !strcmp(field(row, "what"), what) &&
            json_integer_value(json_object_get(row, "line")) == line)
            return row;
    }
    return NULL;
}

struct expected {
    const char *kernel, *level, *what;
    int line;
    const char *class, *why;
};

static const struct expected matrix[] = {
    /* One line, by a scalar store: the clean behind the last store, and a dsb, before the signal. */
    {"scalar_publish_first_line", "instruction", "region cacheinvalid", 34, "killed", ""},
    {"scalar_publish_first_line", "instruction", "fence: dsb", 34, "killed", ""},
    {"scalar_publish_first_line", "misplace", "region cacheinvalid: behind the fence", 34, "killed",
     ""},
    /* Nobody is told of the stores before it, whose line it is as well. */
    {"scalar_publish_first_line", "instruction", "region cacheinvalid", 30, "redundant",
     "the dcci of W1 at line 32 covers the line"},
    {"scalar_publish_first_line", "instruction", "fence: dsb", 30, "redundant",
     "the dsb of W1 at line 32 waits for the same writes"},
    /* The signal leaves the cache by the dcci of its own line in the peer's window (H14). */
    {"scalar_publish_first_line", "retarget", "TNOTIFY dcci after the store: the own line", 35,
     "killed", ""},
    /* A DMA store is drained by barrier all, made visible by the dsb; one pipe's barrier does not
     * hold the scalar unit (H5); a region's dcci does nothing for it. */
    {"remote_store_push", "instruction", "peer cacheinvalid", 30, "redundant",
     "the store in front is DMA, which bypasses the cache"},
    {"remote_store_push", "instruction", "fence: barrier all", 30, "killed", ""},
    {"remote_store_push", "instruction", "fence: dsb", 30, "killed", ""},
    {"remote_store_push", "weaken", "fence: barrier all: mte3 alone", 30, "killed", ""},
    {"remote_store_push", "misplace", "fence (all of it): behind the notify", 30, "killed", ""},
    {"ring_allreduce", "instruction", "region cacheinvalid", 37, "redundant",
     "the store in front is DMA, which bypasses the cache"},
    /* The barrier of TPUT drains what the fence behind it would; the dsb is needed (H6). */
    {"scalar_read_after_wait", "instruction", "fence: barrier all", 36, "redundant",
     "nothing was issued since the barrier of codegen at line 36"},
    {"scalar_read_after_wait", "instruction", "fence: dsb", 36, "killed", ""},
    /* A scalar read needs the invalidate behind its wait (H1), and not of the signal's line alone. */
    {"scalar_read_after_wait", "instruction", "cacheinvalid all", 42, "killed", ""},
    {"scalar_read_after_wait", "narrow", "cacheinvalid all: the line in front alone", 42, "killed",
     ""},
    /* A read of DMA needs none. */
    {"mesh_allreduce", "instruction", "cacheinvalid all", 39, "redundant",
     "DMA reads bypass the cache"},
};

Test(sweep, marker_matrix, .timeout = 300)
{
    struct arena a = {0};
    json_t *top = NULL;
    const char *kernel = "";
    int code;
    for (size_t i = 0; i < COUNT(matrix); i++) {
        const struct expected *x = &matrix[i];
        if (strcmp(kernel, x->kernel) != 0) {
            json_decref(top);
            kernel = x->kernel;
            top = sweep_of(&a, "-P 2 --no-pairs --origins=W1,W2,R1,codegen,macro",
                           read_text(&a, arena_printf(&a, "kernels/%s.py", kernel)), &code);
        }
        const json_t *row = row_of(top, x->level, x->what, x->line);
        const char *name = arena_printf(&a, "%s %s line %d", kernel, x->what, x->line);
        cr_assert(row, "%s: no such mutant", name);
        expect_text(name, field(row, "class"), x->class);
        expect_text(name, field(row, "why"), x->why);
    }
    json_decref(top);
    arena_free(&a);
}

/* Mutants as "level what origin", sorted. */
static int by_text(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static const char *mutants_of(struct arena *a, const char *file)
{
    struct strbuf b = strbuf_make(a);
    const char *given = getenv("FENCEBENCH"), *binary = given ? given : "build/fencebench",
               *out = arena_printf(a, "%s.json", file);
    int status = system(arena_printf(a, "'%s' sweep --json --no-pairs --runs=1 -P 2 %s >%s 2>&1",
                                     binary, file, out));
    json_t *top = json_load_file(out, 0, NULL), *rows = json_object_get(top, "results"), *row;
    cr_assert(WIFEXITED(status) && json_array_size(rows), "%s", file);
    const char **names = arena_array(a, const char *, json_array_size(rows));
    size_t i;
    json_array_foreach(rows, i, row) names[i] = arena_printf(
        a, "%s %s %s\n", field(row, "level"), field(row, "what"), field(row, "origin"));
    qsort(names, i, sizeof *names, by_text);
    for (size_t k = 0; k < i; k++)
        strbuf_add(&b, names[k]);
    json_decref(top);
    return b.text;
}

/* A compiled kernel has the mutants of its source: whose each marker is follows from the places that the
 * compiler's rules put theirs (pto-facts 3.3). */
Test(sweep, compiled_kernels, .timeout = 300)
{
    static const char *const kernels[] = {"scalar_publish_first_line", "remote_store_push",
                                          "scalar_read_after_wait"};
    for (size_t i = 0; i < COUNT(kernels); i++) {
        struct arena a = {0};
        char folder[] = "/tmp/fencebench-sweep-XXXXXX";
        const char *given = getenv("FENCEBENCH"), *binary = given ? given : "build/fencebench";
        cr_assert(mkdtemp(folder) != NULL);
        const char *source = arena_printf(&a, "%s/k.py", folder),
                   *compiled = arena_printf(&a, "%s/k.pto", folder);
        cr_assert(
            system(arena_printf(&a, "cp kernels/%s.py %s && '%s' compile --emit=pto -P 2 %s -o %s",
                                kernels[i], source, binary, source, compiled)) == 0);
        expect_text(kernels[i], mutants_of(&a, compiled), mutants_of(&a, source));
        cr_expect(system(arena_printf(&a, "rm -r %s", folder)) == 0);
        arena_free(&a);
    }
}

/* The text with a marker by hand twice behind the wait of line 42 of scalar_read_after_wait, for which
 * it is compiled without the compiler's own. */
static const char *doubled_text(struct arena *a, const char *marker)
{
    const char *text = read_text(a, "kernels/scalar_read_after_wait.py"),
               *wait = strstr(text, "pld.system.wait(data"),
               *end = wait ? strchr(wait, '\n') : NULL;
    cr_assert(end, "the kernel has no such wait");
    return arena_printf(a, "%.*s\n                %s\n                %s%s", (int)(end - text),
                        text, marker, marker, end);
}

/* Each of two that cover for each other is redundant given the other: both together die. */
Test(sweep, doubled_markers, .timeout = 60)
{
    struct arena a = {0};
    int code;
    json_t *top = sweep_of(&a, "-P 2 --rules=compiler --origins=by-hand,R1",
                           doubled_text(&a, "pl.system.cacheinvalid()"), &code);
    size_t i, given = 0, pairs = 0;
    json_t *row;
    json_array_foreach(json_object_get(top, "results"), i, row)
    {
        if (!strcmp(field(row, "class"), "redundant given others")) {
            given++;
            expect_text("why", field(row, "why"), "");
            cr_expect(*field(row, "others"));
        }
        if (!strcmp(field(row, "level"), "pair")) {
            pairs++;
            expect_text("pair", field(row, "class"), "killed");
            expect_text("pair", field(row, "finding"), "stale read");
        }
    }
    cr_expect(given == 2 && pairs == 1, "%zu given others, %zu pairs", given, pairs);
    cr_expect(code == 0, "status %d of a clean kernel", code);
    json_decref(top);
    arena_free(&a);
}

static const struct {
    const char *name, *words;
    int code;
} exits[] = {
    {"clean, all proved", "", 0},
    {"nothing explored", "--max-states=0", 3},
    {"more states than may be", "--max-states=1", 3},
    {"a class that there is", "--fail-on=redundant", 1},
    {"a class that there is not", "--fail-on=unknown,not-observed", 0},
    {"killed", "--fail-on=killed", 1},
    {"a class by which something is not killed", "--fail-on=not-reached,fewer-findings", 0},
    {"a class before a missing proof", "--max-states=0 --fail-on=not-observed", 1},
    {"another class than the missing proof", "--max-states=0 --fail-on=redundant", 3},
};

Test(sweep, exit_codes, .timeout = 120)
{
    struct arena a = {0};
    const char *text = read_text(&a, "kernels/scalar_publish_first_line.py");
    for (size_t i = 0; i < COUNT(exits); i++) {
        int code;
        json_decref(
            sweep_of(&a, arena_printf(&a, "-P 2 --origins=W1,R1 %s", exits[i].words), text, &code));
        cr_expect(code == exits[i].code, "%s: status %d", exits[i].name, code);
    }
    arena_free(&a);
}

/* A kernel whose every run fails before its later markers never reaches them. */
Test(sweep, what_is_never_reached, .timeout = 60)
{
    struct arena a = {0};
    int code;
    json_t *top =
        sweep_of(&a, "-P 2 --no-pairs", read_text(&a, "kernels/put_from_plain.py"), &code);
    size_t i, n = 0;
    json_t *row;
    json_array_foreach(json_object_get(top, "results"), i, row)
    {
        n += !strcmp(field(row, "class"), "not reached");
        if (!strcmp(field(row, "class"), "not reached"))
            cr_expect(json_integer_value(json_object_get(row, "states")) == 0);
    }
    cr_expect(n > 0);
    cr_expect(code == 1, "the kernel itself fails");
    json_decref(top);
    arena_free(&a);
}

/* Where the program does not fit, smaller constants with the same sites do, and the rows say which. */
Test(sweep, smaller_extents, .timeout = 60)
{
    struct arena a = {0};
    int code;
    json_t *top = sweep_of(&a, "-P 2 --no-pairs --max-states=120 --origins=R1",
                           read_text(&a, "kernels/expert_dispatch.py"), &code);
    const json_t *row = row_of(top, "instruction", "cacheinvalid all", 66);
    cr_assert(row);
    /* Its loop over tokens makes the states; the others stay as they are. */
    expect_text("extents", field(row, "extents"), "TOKENS=1");
    cr_expect(json_integer_value(json_object_get(row, "states")) > 0);
    json_decref(top);
    arena_free(&a);
}

/* ---- certificates ---- */

/* The status of a certificate, which begins with the program's name. */
static int status_of(struct arena *a, const char *command)
{
    const char *given = getenv("FENCEBENCH"), *binary = given ? given : "build/fencebench";
    cr_assert(strncmp(command, "fencebench ", strlen("fencebench ")) == 0, "%s", command);
    int status =
        system(arena_printf(a, "'%s' %s >/dev/null 2>&1", binary, command + strlen("fencebench ")));
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static const struct {
    const char *kernel, *words;
    bool explored; /* some mutant is killed by exploration alone */
} certified[] = {
    {"remote_store_push", "--runs=16 --origins=W2,R1,macro,codegen", false},
    {"scalar_publish_first_line", "--runs=1 --origins=W1,R1,macro", true},
    /* What is explored is smaller: the command says so. */
    {"expert_dispatch", "--runs=1 --max-states=3000 --no-pairs --origins=R1", false},
};

/* Each command does what its row says: of a killed mutant it finds something, of one that is proved
 * redundant (these kernels are clean) nothing. */
Test(sweep, certificates_replay, .timeout = 300)
{
    struct arena a = {0};
    for (size_t c = 0; c < COUNT(certified); c++) {
        const char *path = arena_printf(&a, "kernels/%s.py", certified[c].kernel);
        const char *given = getenv("FENCEBENCH"), *binary = given ? given : "build/fencebench";
        char out[] = "/tmp/fencebench-certificates-XXXXXX";
        size_t i, explored = 0;
        const json_t *row;
        close(mkstemp(out));
        int status = system(arena_printf(&a, "'%s' sweep -P 2 --json %s %s >%s 2>&1", binary,
                                         certified[c].words, path, out));
        cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s: %d", path, status);
        json_t *top = json_load_file(out, 0, NULL);
        cr_assert(top, "%s", path);
        json_array_foreach(json_object_get(top, "results"), i, row)
        {
            const char *command = field(row, "certificate");
            bool killed = !strcmp(field(row, "class"), "killed");
            explored += killed && strstr(command, "fencebench explore") != NULL;
            int got = status_of(&a, command);
            cr_expect(got == (killed ? 1 : 0), "%s: %s, status %d", field(row, "class"), command,
                      got);
        }
        cr_expect(!certified[c].explored || explored, "%s: no kill by exploration alone", path);
        unlink(out);
        json_decref(top);
    }
    arena_free(&a);
}

/* ---- pages ---- */

static const char *output_of(struct arena *a, const char *words, int *code)
{
    const char *given = getenv("FENCEBENCH"), *binary = given ? given : "build/fencebench";
    char out[] = "/tmp/fencebench-sweep-XXXXXX";
    close(mkstemp(out));
    int status = system(arena_printf(a, "'%s' %s >%s 2>&1", binary, words, out));
    cr_assert(WIFEXITED(status));
    *code = WEXITSTATUS(status);
    const char *text = read_text(a, out);
    unlink(out);
    return text;
}

static const struct {
    const char *name, *has;
    bool is;
} page_parts[] = {
    {"title", "# scalar_publish_first_line\n", true},
    {"score", ", 100.0 %**.\n", true},
    {"the line of the source", "## L34\n\n    pl.write(win, [0, 15], c)\n", true},
    {"no line of its own for a rule", "## All markers of a rule\n\n* **every marker of W1**\n",
     true},
    {"a site by its rule", "* **W1.fence: dsb**, site ", true},
    {"a mutation by what becomes of it", "  * misplaced, behind the fence: **killed**: ", true},
    {"why one is redundant", "**redundant**: the dcci of W1 at line 32 covers the line.\n", true},
    {"a proof by its states", "    P=2: a2a3 ", true},
    {"a kill by its command", "    `fencebench run kernels/scalar_publish_first_line.py -P 2 ",
     true},
    {"the picture", "](scalar_publish_first_line.png)", true},
    {"no class that no mutant has", "**not observed**", false},
    {"origins that were not asked for", "**tail", false},
};

/* The page, on the terminal and as a file, is one text, and the same each time. */
Test(sweep, pages, .timeout = 120)
{
    struct arena a = {0};
    int code;
    char folder[] = "/tmp/fencebench-pages-XXXXXX";
    cr_assert(mkdtemp(folder));
    const char *words = arena_printf(&a,
                                     "sweep -P 2 --origins=W1 --runs=30 --report=%s "
                                     "kernels/scalar_publish_first_line.py",
                                     folder);
    const char *text = output_of(&a, words, &code);
    const char *file = read_text(&a, arena_printf(&a, "%s/scalar_publish_first_line.md", folder));
    for (size_t i = 0; i < COUNT(page_parts); i++)
        cr_expect(!!strstr(text, page_parts[i].has) == page_parts[i].is, "%s: %s in\n%s",
                  page_parts[i].name, page_parts[i].has, text);
    expect_text("file", file, text);
    expect_text("again", output_of(&a, words, &code), text);
    cr_expect(code == 0, "%d", code);
    cr_expect(access(arena_printf(&a, "%s/scalar_publish_first_line.png", folder), R_OK) == 0);
    cr_expect(system(arena_printf(&a, "rm -r %s", folder)) == 0);
    arena_free(&a);
}

static const struct {
    const char *name, *words, *has;
} mutate_errors[] = {
    {"no colon", "--mutate=1", "--mutate=1: expected SITE:HOW, such as 7:before-wait"},
    {"no number", "--mutate=x:v", "--mutate=x: expected an integer"},
    {"no such site", "--mutate=1000:v", "there is no site 1000 to mutate"},
    {"no such mutation", "--mutate=1:weaker", "has no mutation 'weaker', but v, mte2, mte3, "},
    {"none at all", "--mutate=2:mte3", "site 2 (fence: dsb) has no mutation 'mte3', and no other"},
    {"two mutants", "--mutate=1:v --remove=2", "--mutate excludes --remove"},
};

Test(sweep, mutations_by_name, .timeout = 60)
{
    static const char *const commands[] = {"check --runs=1", "run", "explore"};
    struct arena a = {0};
    int code;
    for (size_t c = 0; c < COUNT(commands); c++)
        for (size_t i = 0; i < COUNT(mutate_errors); i++) {
            const char *text = output_of(&a,
                                         arena_printf(&a, "%s -P 2 %s kernels/remote_store_push.py",
                                                      commands[c], mutate_errors[i].words),
                                         &code);
            cr_expect(code == 2 && strstr(text, mutate_errors[i].has), "%s, %s: status %d, %s",
                      commands[c], mutate_errors[i].name, code, text);
        }
    arena_free(&a);
}

/* ---- sensitivity ---- */

/* One line by scalar stores: the region marker has to clean its first line (hw-facts 5, H2), and a dsb has to wait for that before
 * the signal. Where the marker is nothing (PTOAS#995) no such instruction is there, and the control needs none. */
static const struct {
    const char *name, *has;
    bool is;
} sensitivity_parts[] = {
    {"the last clean, under every contract",
     "| scalar_publish_first_line | 34 | W1.region cacheinvalid | `KKKKKK` | `KKKKKK` |  | "
     "`KKKKKK` | `KKKKKK` |\n",
     true},
    {"an earlier one nowhere",
     "| scalar_publish_first_line | 30 | W1.region cacheinvalid | `......` | `......` |  | "
     "`......` | `......` |\n",
     true},
    {"the fewest hypotheses", "| scalar_publish_first_line | `region_cacheinvalid = base_line` |\n",
     true},
    {"of all kernels", "| **all that a set helps** | `region_cacheinvalid = base_line` |\n", true},
    {"the same at a glance",
     "** for all kernels that any help: `region_cacheinvalid = base_line`\n", true},
    {"the control", "Control: under `sc`, where memory is coherent, 0 of ", true},
    {"a toolchain without the marker", "* `ptoas-0.50`: ", true},
    {"no kernel fails under it", "Under the set of all, ", false},
};

Test(sweep, sensitivity, .timeout = 240)
{
    struct arena a = {0};
    const char *given = getenv("FENCEBENCH"), *binary = given ? given : "build/fencebench";
    char folder[] = "/tmp/fencebench-sensitivity-XXXXXX";
    cr_assert(mkdtemp(folder));
    int status = system(arena_printf(&a,
                                     "FENCEBENCH='%s' OUT=%s "
                                     "KERNELS=kernels/scalar_publish_first_line.py "
                                     "bash scripts/sensitivity.sh >%s/log 2>&1",
                                     binary, folder, folder));
    cr_assert(status == 0, "%s", read_text(&a, arena_printf(&a, "%s/log", folder)));
    const char *text = read_text(&a, arena_printf(&a, "%s/sensitivity.md", folder));
    for (size_t i = 0; i < COUNT(sensitivity_parts); i++)
        cr_expect(!!strstr(text, sensitivity_parts[i].has) == sensitivity_parts[i].is,
                  "%s: %s in\n%s", sensitivity_parts[i].name, sensitivity_parts[i].has, text);
    cr_expect(system(arena_printf(&a, "rm -r %s", folder)) == 0);
    arena_free(&a);
}

/* ---- the default sweep ---- */

/* The first has 13 states. The second reads back what it has just stored, which is stale (H4), and has
 * more states than twenty at whatever size. */
static const struct {
    const char *name, *has;
} overview_parts[] = {
    {"a kernel's page and its score",
     "| [scalar_publish_first_line](scalar_publish_first_line.md) | "},
    {"the whole score",
     "Score, killed of all that is not proved to be redundant or not reached: **"},
    {"the published one", "107 of 128 mutants (83.6 %)"},
    {"the sum", "| **all** | "},
    {"why there is no answer", "* store_read_back, P=2: a2a3 "},
    {"the kernel's own finding", ": the kernel itself fails (stale read); it has more than 20 "
                                 "states, at any size with the same "
                                 "sites.\n"},
};

Test(sweep, overview, .timeout = 240)
{
    struct arena a = {0};
    const char *given = getenv("FENCEBENCH"), *binary = given ? given : "build/fencebench";
    char folder[] = "/tmp/fencebench-overview-XXXXXX";
    cr_assert(mkdtemp(folder));
    int status = system(arena_printf(&a,
                                     "FENCEBENCH='%s' OUT=%s RANKS=2 RUNS=16 STATES=20 KERNELS='"
                                     "kernels/scalar_publish_first_line.py "
                                     "kernels/store_read_back.py kernels/notify_wait_tag_ssa.py' "
                                     "bash scripts/sweeps.sh >%s/log 2>&1",
                                     binary, folder, folder));
    cr_assert(status == 0, "%s", read_text(&a, arena_printf(&a, "%s/log", folder)));
    const char *text = read_text(&a, arena_printf(&a, "%s/sweep/README.md", folder));
    for (size_t i = 0; i < COUNT(overview_parts); i++)
        cr_expect(strstr(text, overview_parts[i].has), "%s: %s in\n%s", overview_parts[i].name,
                  overview_parts[i].has, text);
    const char *clean = strstr(text, overview_parts[0].has);
    cr_expect(clean && strstr(clean, "100.0 % |\n") == strchr(clean, '\n') - strlen("100.0 % |"),
              "%s", text);
    cr_expect(!strstr(text, "_ssa"), "a printed program was swept:\n%s", text);
    cr_expect(system(arena_printf(&a, "rm -r %s", folder)) == 0);
    arena_free(&a);
}

/* Cases that are under way at the same time are printed in their order, with the same witnesses. */
Test(sweep, any_number_of_threads, .timeout = 240)
{
    struct arena a = {0};
    const char *first = NULL, *words = "sweep -P 2,3 --model=a2a3,a2a3-evict --runs=16 "
                                       "--max-states=200 kernels/scalar_publish_first_line.py "
                                       "kernels/store_read_back.py kernels/relay.py";
    static const int threads[] = {1, 2, 7};
    for (size_t i = 0; i < COUNT(threads); i++) {
        int code;
        const char *text = output_of(&a, arena_printf(&a, "%s -j %d", words, threads[i]), &code);
        first = first ? first : text;
        expect_text(arena_printf(&a, "%d threads", threads[i]), text, first);
        cr_expect(strstr(text, "; shortest: P=2 "), "%s", text);
    }
    arena_free(&a);
}
