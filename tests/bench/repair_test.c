/* SPDX-License-Identifier: MIT */
/*
 * The commands minimize and repair from the outside: what they answer is asked again of explore,
 * and patches are given to patch.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "bench/campaign/compiled.h"
#include "bench/campaign/greedy.h"
#include "bench/campaign/remedy_words.h"
#include "bench/report/patch.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MODELS       "a2a3", "a2a3-blocking", "a2a3-evict"

/* ---- running ---- */

struct place_of_test {
    struct arena arena;
    char folder[64];
    const char *binary;
};

struct result {
    const char *out;
    int code;
};

static void open_place(struct place_of_test *t)
{
    char path[4096];
    const char *given = getenv("FENCEBENCH");
    *t = (struct place_of_test){.folder = "/tmp/fencebench-repair-XXXXXX"};
    cr_assert(realpath(given ? given : "build/fencebench", path) && mkdtemp(t->folder));
    t->binary = arena_strdup(&t->arena, path);
    cr_assert(realpath("models", path));
    setenv("FENCEBENCH_MODELS", path, 1);
}

static void close_place(struct place_of_test *t)
{
    cr_expect(system(arena_printf(&t->arena, "rm -r %s", t->folder)) == 0);
    arena_free(&t->arena);
}

static const char *read_text(struct arena *a, const char *path)
{
    struct diag d = {.arena = a};
    const struct source *s = source_read(a, path, &d);
    cr_assert(s, "%s", diag_text(&d, a));
    return s->text;
}

static void write_file(struct place_of_test *t, const char *name, const char *text)
{
    FILE *f = fopen(arena_printf(&t->arena, "%s/%s", t->folder, name), "w");
    cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static const char *kernel_text(struct place_of_test *t, const char *name)
{
    return read_text(&t->arena, arena_printf(&t->arena, "kernels/%s.py", name));
}

/* A line for the shell, in the folder, in which "fencebench" is the program. */
static struct result shell(struct place_of_test *t, const char *line)
{
    struct arena *a = &t->arena;
    int status = system(
        arena_printf(a, "cd %s && fencebench() { '%s' \"$@\"; } && { %s; } >out 2>err </dev/null",
                     t->folder, t->binary, line));
    const char *out = read_text(a, arena_printf(a, "%s/out", t->folder));
    cr_assert(WIFEXITED(status), "%s", line);
    return (struct result){out, WEXITSTATUS(status)};
}

static const char *error_text(struct place_of_test *t)
{
    return read_text(&t->arena, arena_printf(&t->arena, "%s/err", t->folder));
}

static json_t *answer(struct place_of_test *t, const char *name, const char *command, int code)
{
    struct result r = shell(t, arena_printf(&t->arena, "%s --json", command));
    json_t *top = json_loads(r.out, 0, NULL);
    cr_assert(top, "%s: %s\n%s%s", name, command, r.out, error_text(t));
    cr_expect(r.code == code, "%s: exit code %d, expected %d\n%s", name, r.code, code, r.out);
    return top;
}

/* ---- repair ---- */

static double flushes(const json_t *top, const char *which)
{
    return json_number_value(json_object_get(json_object_get(top, which), "flushes_per_rank"));
}

static void expect_proved(const char *name, const json_t *answers, size_t models)
{
    size_t i;
    json_t *x;
    cr_expect(json_array_size(answers) == models, "%s: %zu contracts", name,
              json_array_size(answers));
    json_array_foreach(answers, i, x)
    {
        const char *kind = json_string_value(json_object_get(x, "answer"));
        cr_expect(!strcmp(kind, "proved"), "%s, %s: %s", name,
                  json_string_value(json_object_get(x, "model")), kind);
    }
}

struct repair_row {
    const char *kernel, *words; /* behind -P 2 */
    const char *model;          /* NULL: the usual three */
};

/* Without InsertCommFence, which leaves what code generation and the macros emit; and the programs
 * that the compiler's rules leave open (docs/findings.md). */
static const struct repair_row repair_rows[] = {
    {"all_to_all", "--markers=off --arg SIZE=16", NULL},
    {"allgather_put", "--markers=off --arg SIZE=16", NULL},
    {"broadcast_get", "--markers=off", NULL},
    {"get_plain", "--markers=off", NULL},
    {"local_read_credit", "--markers=off", NULL},
    {"mesh_allreduce", "--markers=off --arg SIZE=8 --arg CHUNK=8", "a2a3,a2a3-blocking"},
    {"put_atomic_add", "--markers=off", NULL},
    {"put_from_plain", "--markers=off", NULL},
    {"put_ring", "--markers=off", NULL},
    {"reduce_scatter", "--markers=off", "a2a3,a2a3-blocking"},
    {"relay", "--markers=off", NULL},
    {"remote_store_push", "--markers=off", "a2a3,a2a3-blocking"},
    {"scalar_publish", "--markers=off", NULL},
    {"scalar_publish_first_line", "--markers=off", NULL},
    {"scalar_read_after_wait", "--markers=off", NULL},
    {"store_read_back", "--markers=off", NULL},
    {"store_read_back_first_line", "--markers=off", NULL},
    {"two_kernel", "--markers=off", NULL},
    {"get_plain", "", NULL},
    {"put_from_plain", "", NULL},
    {"store_read_back", "", NULL},
    {"local_read_credit", "", NULL},
    {"store_read_back_first_line", "--model=weakest", "weakest"},
};

static size_t models_of(const struct repair_row *r)
{
    size_t n = 1;
    for (const char *p = r->model; p && *p; p++)
        n += *p == ',';
    return r->model ? n : 3;
}

/* What repair prints as a patch, patch applies, and explore proves the file that comes of it. */
static void check_repair(struct place_of_test *t, const struct repair_row *r)
{
    static const char *const usual[] = {MODELS};
    struct arena *a = &t->arena;
    const char *name = arena_printf(a, "%s %s", r->kernel, r->words);
    const char *words = arena_printf(a, "-P 2 %s%s%s", r->words, r->model ? " --model=" : "",
                                     r->model ? r->model : "");
    write_file(t, "k.py", kernel_text(t, r->kernel));
    json_t *top =
        answer(t, name, arena_printf(a, "fencebench repair k.py -o k.patch %s", words), 0);
    cr_expect(json_is_true(json_object_get(top, "clean")), "%s", name);
    expect_proved(name, json_object_get(top, "repaired"), models_of(r));
    bool off = strstr(r->words, "--markers=off");
    cr_expect(flushes(top, "after") <= flushes(top, off ? "compiler" : "before"),
              "%s: %g flushes per rank, the compiler's markers have %g", name,
              flushes(top, "after"), flushes(top, off ? "compiler" : "before"));
    json_decref(top);
    struct result applied = shell(t, "patch -p0 < k.patch");
    cr_assert(applied.code == 0, "%s: %s", name, applied.out);
    for (size_t i = 0; i < models_of(r); i++) {
        const char *model = r->model && !strchr(r->model, ',') ? r->model : usual[i];
        struct result x = shell(
            t, arena_printf(a, "fencebench explore k.py -P 2 %s --model=%s", r->words, model));
        cr_expect(x.code == 0 && strstr(x.out, "clean"), "%s: with its patch:\n%s", name, x.out);
    }
}

Test(repair, ends_clean_and_is_no_dearer, .timeout = 300)
{
    struct place_of_test t;
    open_place(&t);
    for (size_t i = 0; i < COUNT(repair_rows); i++)
        check_repair(&t, &repair_rows[i]);
    close_place(&t);
}

/* The same of compiled kernels: what is written are operations of the file. */
static const struct {
    const char *kernel, *words, *patched; /* a line that the patch adds */
} compiled_rows[] = {
    {"two_kernel", "--markers=off", "+  pto.fence.barrier_all #pto.fence_scope<gm>\n"},
    {"scalar_publish", "--markers=off", " single_cache_line : !pto.ptr<i32>\n"},
    {"mesh_allreduce", "--markers=off --arg SIZE=8 --arg CHUNK=8", "pto.barrier <PIPE_ALL>\n"},
    {"scalar_read_after_wait", "--markers=off",
     "pto.cmo.cacheinvalid all #pto.address_space<gm>\n"},
};

Test(repair, of_compiled_kernels, .timeout = 300)
{
    static const char *const models[] = {MODELS};
    struct place_of_test t;
    open_place(&t);
    for (size_t i = 0; i < COUNT(compiled_rows); i++) {
        const char *name = compiled_rows[i].kernel;
        write_file(&t, "k.py", kernel_text(&t, name));
        struct result r =
            shell(&t, arena_printf(&t.arena, "fencebench compile --emit=pto k.py -P 2 %s -o k.pto",
                                   compiled_rows[i].words));
        cr_assert(r.code == 0, "%s: %s", name, error_text(&t));
        json_t *top = answer(&t, name, "fencebench repair k.pto -P 2 -o k.patch", 0);
        cr_expect(json_is_true(json_object_get(top, "clean")), "%s", name);
        expect_proved(name, json_object_get(top, "repaired"), COUNT(models));
        cr_expect(
            strstr(json_string_value(json_object_get(top, "patch")), compiled_rows[i].patched),
            "%s: %s", name, json_string_value(json_object_get(top, "patch")));
        json_decref(top);
        r = shell(&t, "patch -p0 < k.patch");
        cr_assert(r.code == 0, "%s: %s", name, r.out);
        for (size_t m = 0; m < COUNT(models); m++) {
            r = shell(
                &t, arena_printf(&t.arena, "fencebench explore k.pto -P 2 --model=%s", models[m]));
            cr_expect(r.code == 0 && strstr(r.out, "clean"), "%s: with its patch:\n%s", name,
                      r.out);
        }
    }
    close_place(&t);
}

/* Of a build directory the patch is one of the file that lacks a marker: here the fence in front of its notify. */
Test(repair, of_a_build_directory)
{
    char here[4096];
    struct place_of_test t;
    open_place(&t);
    cr_assert(getcwd(here, sizeof here));
    struct result r = shell(&t, arena_printf(&t.arena,
                                             "cp -r '%s'/tests/files/pto/relay_build b && "
                                             "sed -i /fence.barrier_all/d "
                                             "b/next_levels/relay/ptoas/publish.pto",
                                             here));
    cr_assert(r.code == 0, "%s", error_text(&t));
    json_t *top = answer(&t, "b", "fencebench repair b -o b.patch", 0);
    cr_expect(json_is_true(json_object_get(top, "clean")));
    expect_text("patched",
                json_string_value(
                    json_object_get(json_array_get(json_object_get(top, "calls"), 0), "call")),
                "pto.fence.barrier_all #pto.fence_scope<gm>");
    json_decref(top);
    r = shell(&t, "patch -p0 < b.patch && fencebench explore b");
    cr_expect(r.code == 0 && strstr(r.out, "patching file b/next_levels/relay/ptoas/publish.pto\n"),
              "%s", r.out);
    close_place(&t);
}

/* A compiled kernel that lacks nothing gets nothing. */
Test(repair, of_a_clean_compiled_kernel)
{
    struct place_of_test t;
    open_place(&t);
    write_file(&t, "k.py", kernel_text(&t, "remote_store_push"));
    struct result r = shell(&t, "fencebench compile --emit=pto k.py -P 2 -o k.pto");
    cr_assert(r.code == 0, "%s", error_text(&t));
    r = shell(&t, "fencebench repair k.pto -P 2");
    cr_expect(r.code == 0 && strstr(r.out, "markers of the file: clean as it is\n") &&
                  !strstr(r.out, "+++"),
              "%s", r.out);
    close_place(&t);
}

/* The fence between the puts and the notifies of all peers stands in front of the loop: once, and right
 * for more ranks too. */
Test(repair, outside_of_loops, .timeout = 300)
{
    struct place_of_test t;
    open_place(&t);
    write_file(&t, "k.py", kernel_text(&t, "all_to_all"));
    struct result r =
        shell(&t, "fencebench repair k.py -P 2 --markers=off --model=a2a3,a2a3-blocking");
    cr_expect(r.code == 0 && strstr(r.out, "\n+        pl.system.fence()\n"
                                           "         for peer in pl.range(nranks):\n"),
              "%d\n%s", r.code, r.out);
    r = shell(&t, "fencebench repair k.py -P 2 --markers=off --model=a2a3 | patch -p0 && "
                  "fencebench explore k.py -P 3 --markers=off");
    cr_expect(r.code == 0, "%s", r.out);
    close_place(&t);
}

/* Each step passes on what the one before has stored. With two ranks there is one step, and a fence in
 * front of the loop over steps would do; with more it has to be inside. The loop in that is another
 * matter: here it is run once, whatever the ranks. */
Test(repair, inside_of_loops_that_are_run_more_often, .timeout = 300)
{
    struct place_of_test t;
    open_place(&t);
    write_file(&t, "k.py", kernel_text(&t, "ring_allreduce"));
    struct result r =
        shell(&t, "fencebench repair k.py -P 2 --markers=off --model=a2a3 --arg SUB=64");
    cr_expect(r.code == 0 && strstr(r.out, "\n             seg = (me + nranks - step) % nranks\n"
                                           "+            pl.system.fence()\n"
                                           "             for j in pl.range(SEG // SUB):\n"),
              "%d\n%s", r.code, r.out);
    close_place(&t);
}

/* A call belongs into the file of its statement. */
Test(repair, of_several_files)
{
    struct place_of_test t;
    open_place(&t);
    cr_assert(system(arena_printf(&t.arena, "cp -r tests/files/. %s", t.folder)) == 0);
    struct result r =
        shell(&t, "fencebench repair ring.py --markers=off --arg x=1 -o p && cat p && "
                  "patch -p0 < p && fencebench explore ring.py --markers=off --arg x=1");
    cr_expect(r.code == 0 && strstr(r.out, "+++ parts/remote.py\n") &&
                  !strstr(r.out, "+++ ring.py"),
              "%d\n%s%s", r.code, r.out, error_text(&t));
    close_place(&t);
}

/* Line sharing (facts, packed Set cells): no marker helps. */
Test(repair, says_what_stays, .timeout = 300)
{
    struct place_of_test t;
    open_place(&t);
    write_file(&t, "k.py", kernel_text(&t, "all_to_all_v"));
    struct result r = shell(&t, "fencebench repair k.py -P 2 --model=a2a3");
    cr_expect(r.code == 1 && strstr(r.out, "not repaired") &&
                  strstr(r.out, "this stays, under a2a3") &&
                  strstr(r.out, "stale read at recv_counts") && strstr(r.out, "line sharing") &&
                  !strstr(r.out, "+++"),
              "%d\n%s", r.code, r.out);
    close_place(&t);
}

Test(repair, of_what_is_clean)
{
    struct place_of_test t;
    open_place(&t);
    write_file(&t, "k.py", kernel_text(&t, "put_ring"));
    struct result r = shell(&t, "fencebench repair k.py -P 2");
    cr_expect(r.code == 0 && strstr(r.out, "clean as it is") && !strstr(r.out, "+++"), "%d\n%s",
              r.code, r.out);
    /* Too many states for a proof: the runs decide, and that is said. */
    r = shell(&t, "fencebench repair k.py -P 2 --model=a2a3 --max-states=10 --runs=30");
    cr_expect(r.code == 3 && strstr(r.out, "not observed, 30 runs: less than "), "%d\n%s", r.code,
              r.out);
    close_place(&t);
}

/* ---- minimize ---- */

static const json_t *marker_at(const json_t *top, size_t i)
{
    return json_array_get(json_object_get(top, "markers"), i);
}

static const char *text_of(const json_t *j, const char *key)
{
    const char *text = json_string_value(json_object_get(j, key));
    return text ? text : "";
}

static int count_markers(const json_t *top, const char *what, const char *verdict)
{
    int n = 0;
    for (size_t i = 0; i < json_array_size(json_object_get(top, "markers")); i++) {
        const json_t *m = marker_at(top, i);
        n += !strncmp(text_of(m, "what"), what, strlen(what)) &&
             !strcmp(text_of(m, "answer"), verdict);
    }
    return n;
}

/* The same place has each marker twice: one of each is needed (without it the words stay dirty, or
 * the write-back is in flight), and which does not matter. */
Test(minimize, keeps_one_of_two, .timeout = 300)
{
    static const char store[] = "            pl.write(win, [0, 15], c)\n",
                      clean[] = "            pl.system.cacheinvalid(win, [1, 1], [0, 15])\n",
                      fence[] = "            pl.system.fence()\n";
    struct place_of_test t;
    open_place(&t);
    const char *text = kernel_text(&t, "scalar_publish_first_line"), *at = strstr(text, store);
    cr_assert(at);
    at += strlen(store);
    write_file(&t, "k.py",
               arena_printf(&t.arena, "%.*s%s%s%s%s%s", (int)(at - text), text, clean, clean, fence,
                            fence, at));
    json_t *top = answer(&t, "doubled", "fencebench minimize k.py -P 2 --markers=off", 0);
    cr_expect(count_markers(top, "", "keep") == 2 && count_markers(top, "", "delete") == 2,
              "%d kept", count_markers(top, "", "keep"));
    cr_expect(count_markers(top, "fence", "keep") == 1 &&
              count_markers(top, "fence", "delete") == 1);
    expect_proved("doubled", json_object_get(top, "left"), 3);
    /* Each alone can go, both together not. */
    const char *first = text_of(marker_at(top, 0), "what");
    int a = (int)json_integer_value(json_object_get(marker_at(top, 0), "site")),
        b = (int)json_integer_value(json_object_get(marker_at(top, 1), "site"));
    cr_expect(strstr(first, "cacheinvalid"), "%s", first);
    static const char explore[] = "fencebench explore k.py -P 2 --markers=off --remove=";
    cr_expect(shell(&t, arena_printf(&t.arena, "%s%d", explore, a)).code == 0);
    cr_expect(shell(&t, arena_printf(&t.arena, "%s%d", explore, b)).code == 0);
    cr_expect(shell(&t, arena_printf(&t.arena, "%s%d,%d", explore, a, b)).code == 1);
    json_decref(top);
    close_place(&t);
}

/* Every kept marker's command shows the finding that comes without it; and nothing is dearer than
 * before. */
Test(minimize, has_a_certificate_for_what_stays, .timeout = 300)
{
    static const char *const kernels[] = {"broadcast_get", "put_ring", "two_kernel",
                                          "scalar_publish_first_line", "scalar_read_after_wait"};
    struct place_of_test t;
    open_place(&t);
    for (size_t k = 0; k < COUNT(kernels); k++) {
        write_file(&t, "k.py", kernel_text(&t, kernels[k]));
        json_t *top = answer(&t, kernels[k], "fencebench minimize k.py -P 2", 0);
        size_t n = json_array_size(json_object_get(top, "markers"));
        expect_proved(kernels[k], json_object_get(top, "left"), 3);
        cr_expect(flushes(top, "after") <= flushes(top, "before"), "%s", kernels[k]);
        cr_expect(count_markers(top, "", "keep") > 0, "%s", kernels[k]);
        for (size_t i = 0; i < n; i++) {
            const json_t *certificate = json_object_get(marker_at(top, i), "certificate");
            bool kept = !strcmp(text_of(marker_at(top, i), "answer"), "keep");
            cr_expect(kept == (certificate != NULL), "%s", kernels[k]);
            if (!kept)
                continue;
            struct result r = shell(&t, text_of(certificate, "replay"));
            cr_expect(r.code == 1, "%s: no finding: %s\n%s", kernels[k],
                      text_of(certificate, "replay"), r.out);
        }
        json_decref(top);
    }
    close_place(&t);
}

/* A region marker behind a DMA store does nothing for it (hw-facts 0.4, 5), and a DMA load does not
 * see the cache. */
Test(minimize, drops_flushes_around_transfers, .timeout = 300)
{
    struct place_of_test t;
    open_place(&t);
    write_file(&t, "k.py", kernel_text(&t, "broadcast_get"));
    json_t *top = answer(&t, "get", "fencebench minimize k.py -P 2", 0);
    cr_expect(count_markers(top, "region cacheinvalid", "keep") == 0 &&
              count_markers(top, "cacheinvalid all", "keep") == 0);
    cr_expect(count_markers(top, "fence", "keep") == 1);
    cr_expect(flushes(top, "after") == 0, "%g flushes are left", flushes(top, "after"));
    json_decref(top);
    close_place(&t);
}

Test(minimize, of_what_fails)
{
    struct place_of_test t;
    open_place(&t);
    write_file(&t, "k.py", kernel_text(&t, "get_plain"));
    struct result r = shell(&t, "fencebench minimize k.py -P 2");
    cr_expect(r.code == 1 && strstr(r.out, "not clean as it is; repair finds") &&
                  strstr(r.out, "a2a3: set aside, the kernel itself fails: stale read at tmp[0]"),
              "%d\n%s", r.code, r.out);
    /* Under weakest alone. Under the other the read needs both markers of the store in front of it:
     * the line goes, and what was stored has arrived. */
    write_file(&t, "k.py", kernel_text(&t, "store_read_back_first_line"));
    r = shell(&t, "fencebench minimize k.py -P 2 --model=a2a3,weakest");
    cr_expect(r.code == 1 && strstr(r.out, "weakest: set aside") &&
                  strstr(r.out, "0 of 2 markers can go together") &&
                  strstr(r.out, "what is left:\n  a2a3               proved"),
              "%d\n%s", r.code, r.out);
    close_place(&t);
}

Test(minimize, usage)
{
    static const struct {
        const char *words, *error;
    } rows[] = {
        {"minimize k.py -P 2,4", "k.py: error: minimize takes one number of ranks; these are 2\n"},
        {"repair k.py -P 2,4", "k.py: error: repair takes one number of ranks; these are 2\n"},
        {"minimize k.py k.py", "fencebench minimize: expected one kernel file\n"},
        {"minimize k.py --origins=W9", "fencebench minimize: --origins=W9: no such value (W1, "},
        {"repair k.py --max-states=0",
         "fencebench repair: --max-states=0: expected an integer from 1 to 4294967295\n"},
        {"repair k.py -P 2 -o no/such/file",
         "no/such/file: error: cannot write: No such file or directory\n"},
    };
    struct place_of_test t;
    open_place(&t);
    write_file(&t, "k.py", kernel_text(&t, "put_ring"));
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct result r = shell(&t, arena_printf(&t.arena, "fencebench %s", rows[i].words));
        cr_expect(r.code == 2 && !strncmp(error_text(&t), rows[i].error, strlen(rows[i].error)),
                  "%s: %d\n%s", rows[i].words, r.code, error_text(&t));
    }
    close_place(&t);
}

/* ---- deletion ---- */

struct need {
    bool (*enough)(const bool *deleted);
    int asked;
};

static bool ask(void *ctx, const bool *deleted, size_t member)
{
    struct need *n = ctx;
    n->asked++;
    cr_expect(deleted[member]);
    return n->enough(deleted);
}

static bool all_needed(const bool *d)
{
    return !d[0] && !d[1] && !d[2];
}
static bool none_needed(const bool *d)
{
    (void)d;
    return true;
}
static bool first_or_last(const bool *d)
{
    return !d[0] || !d[2];
}
/* 0 can go only when 2 has gone: a marker that does harm beside another. */
static bool after_last(const bool *d)
{
    return !d[1] && (!d[0] || d[2]);
}

Test(minimize, greedy)
{
    static const struct {
        const char *name;
        bool (*enough)(const bool *deleted);
        bool deleted[3];
    } rows[] = {
        {"all are needed", all_needed, {false, false, false}},
        {"none is", none_needed, {true, true, true}},
        {"one of two", first_or_last, {false, true, true}},
        {"one that can go only behind another", after_last, {true, false, true}},
    };
    static const size_t order[] = {1, 2, 0};
    static const size_t up[] = {0, 1, 2};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct need n = {rows[i].enough, 0};
        bool deleted[3] = {false};
        /* Up: the one that must wait is tried first, and again. */
        struct greedy g = {3, 3, rows[i].enough == after_last ? up : order, ask, &n};
        greedy_delete(&g, deleted);
        cr_expect(!memcmp(deleted, rows[i].deleted, sizeof deleted), "%s", rows[i].name);
        cr_expect(n.asked <= 9, "%s: asked %d times", rows[i].name, n.asked);
    }
}

/* ---- loops ---- */

static const char nest[] = "def f(x):\n"                 /* 1 */
                           "    pl.write(x, [0], 1)\n"   /* 2 */
                           "    for i in pl.range(3):\n" /* 3 */
                           "        # why\n"             /* 4 */
                           "        if i != 0:\n"        /* 5 */
                           "            f(i)\n"          /* 6 */
                           "\n"                          /* 7 */
                           "        g(i)\n"              /* 8 */
                           "        if i != 1:\n"        /* 9 */
                           "            h(i)\n"          /* 10 */
                           "        else:\n"             /* 11 */
                           "            k(i)\n"          /* 12 */
                           "    with a:\n"               /* 13 */
                           "        l(i)\n";             /* 14 */

Test(repair, out_of_a_loop)
{
    static const struct {
        struct remedy_call from, to; /* to.line 0: it stays */
    } rows[] = {
        {{"x", false, 2, 5}, {"x", false, 0, 0}},   {{"x", false, 6, 13}, {"x", false, 3, 5}},
        {{"x", true, 6, 13}, {"x", true, 12, 5}},   {{"x", true, 8, 9}, {"x", true, 12, 5}},
        {{"x", false, 12, 13}, {"x", false, 0, 0}}, {{"x", true, 14, 9}, {"x", true, 0, 0}},
    };
    struct arena a = {0};
    const struct kernel k = {.source = source_from_string(&a, "f", nest)};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct remedy_call out = {0};
        bool moved = remedy_outward(&k, &rows[i].from, &out);
        cr_expect(moved == (rows[i].to.line > 0), "line %d", rows[i].from.line);
        cr_expect(!moved || (out.line == rows[i].to.line && out.col == rows[i].to.col &&
                             out.after == rows[i].to.after),
                  "line %d: to line %d, column %d", rows[i].from.line, out.line, out.col);
    }
    arena_free(&a);
}

static const char loops[] = "func.func @k(%p: !pto.ptr<i32>, %n: index, %x: i32, %b: i1) {\n"
                            "  %c0 = arith.constant 0 : index\n"
                            "  scf.for %i = %c0 to %n step %n {\n"
                            "      pto.store_scalar %x,\n"
                            "          %p[%i] : !pto.ptr<i32>, i32\n"
                            "    scf.if %b {\n"
                            "        pto.barrier <PIPE_ALL>\n"
                            "    }\n"
                            "  }\n"
                            "  return\n"
                            "}\n";

/* In a compiled kernel the lines of operations say what is inside of a loop, however it is indented. */
Test(repair, out_of_a_compiled_loop)
{
    static const struct {
        struct remedy_call from, to; /* to.line 0: it stays */
    } rows[] = {
        {{"x", false, 4, 7}, {"x", false, 3, 3}},  {{"x", true, 7, 9}, {"x", true, 9, 3}},
        {{"x", false, 3, 3}, {"x", false, 0, 0}},  {{"x", true, 9, 3}, {"x", true, 0, 0}},
        {{"x", false, 10, 3}, {"x", false, 0, 0}},
    };
    struct arena a = {0};
    struct diag d = {.arena = &a};
    char path[] = "/tmp/fencebench-loops-XXXXXX.pto";
    int fd = mkstemps(path, 4);
    const char *text = arena_printf(&a, "module {\n%s}\n", loops); /* one line more in front */
    cr_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0);
    static const struct kernel_options none;
    const struct kernel *k = compiled_load(&a, path, &none, &d);
    unlink(path);
    cr_assert(k, "%s", diag_text(&d, &a));
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct remedy_call out = {0}, from = rows[i].from;
        from.line++;
        bool moved = remedy_outward(k, &from, &out);
        cr_expect(moved == (rows[i].to.line > 0), "line %d", rows[i].from.line);
        cr_expect(!moved || (out.line == rows[i].to.line + 1 && out.col == rows[i].to.col &&
                             out.after == rows[i].to.after),
                  "line %d: to line %d, column %d", rows[i].from.line, out.line - 1, out.col);
    }
    arena_free(&a);
}

/* ---- patches ---- */

#define HEAD "--- f\n+++ f\n"

static const struct {
    const char *name, *text;
    struct remedy_call calls[3];
    size_t n;
    const char *patch;
} patch_rows[] = {
    {"none", "a\n", {{0}}, 0, ""},
    {"behind the only line", "a\n", {{"x", true, 1, 1}}, 1, HEAD "@@ -1,1 +1,2 @@\n a\n+x\n"},
    {"in front of it", "  a\n", {{"x", false, 1, 3}}, 1, HEAD "@@ -1,1 +1,2 @@\n+  x\n   a\n"},
    {"three lines of context",
     "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
     {{"x", true, 4, 1}},
     1,
     HEAD "@@ -2,6 +2,7 @@\n 2\n 3\n 4\n+x\n 5\n 6\n 7\n"},
    {"one hunk where contexts touch",
     "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
     {{"x", true, 1, 1}, {"y", false, 8, 1}},
     2,
     HEAD "@@ -1,9 +1,11 @@\n 1\n+x\n 2\n 3\n 4\n 5\n 6\n 7\n+y\n 8\n 9\n"},
    {"two hunks, the second moved",
     "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
     {{"x", true, 1, 1}, {"z", true, 1, 1}, {"y", true, 8, 1}},
     3,
     HEAD "@@ -1,4 +1,6 @@\n 1\n+x\n+z\n 2\n 3\n 4\n@@ -6,4 +8,5 @@\n 6\n 7\n 8\n+y\n 9\n"},
    {"both sides of a gap, the line in front first",
     "1\n2\n",
     {{"b", false, 2, 1}, {"a", true, 1, 1}},
     2,
     HEAD "@@ -1,2 +1,4 @@\n 1\n+a\n+b\n 2\n"},
    {"a last line without an end",
     "1\n2",
     {{"x", false, 2, 1}},
     1,
     HEAD "@@ -1,2 +1,3 @@\n 1\n+x\n 2\n\\ No newline at end of file\n"},
    {"behind a last line without an end",
     "1\n2",
     {{"x", true, 2, 1}},
     1,
     HEAD "@@ -1,2 +1,3 @@\n 1\n-2\n\\ No newline at end of file\n+2\n+x\n"},
};

Test(repair, patches)
{
    struct place_of_test t;
    open_place(&t);
    for (size_t i = 0; i < COUNT(patch_rows); i++) {
        remedy_calls calls = {.items = (struct remedy_call *)patch_rows[i].calls,
                              .len = patch_rows[i].n};
        const struct source *s = source_from_string(&t.arena, "f", patch_rows[i].text);
        const char *patch = patch_text(&t.arena, s, &calls);
        expect_text(patch_rows[i].name, patch, patch_rows[i].patch);
        if (!calls.len)
            continue;
        write_file(&t, "f", patch_rows[i].text);
        write_file(&t, "p", patch);
        struct result r = shell(&t, "patch -p0 < p");
        const char *text = read_text(&t.arena, arena_printf(&t.arena, "%s/f", t.folder));
        cr_expect(r.code == 0, "%s: %s", patch_rows[i].name, r.out);
        expect_text(
            patch_rows[i].name,
            arena_printf(&t.arena, "%s%s", text, text[strlen(text) - 1] == '\n' ? "" : "\n"),
            calls_written(&t.arena, s, &calls)->text);
    }
    close_place(&t);
}
