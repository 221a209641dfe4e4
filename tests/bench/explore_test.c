/* SPDX-License-Identifier: MIT */
/*
 * fencebench explore from the outside: verdicts, limits, witnesses, and that neither threads nor
 * reduction change an answer. The binary is $FENCEBENCH (build/fencebench by default); each test
 * has a folder for the files it lets the program write.
 *
 * Sizes are small on purpose: where lines may leave a cache at any time, all but the smallest
 * kernels have millions of states.
 */
#include <jansson.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/strbuf.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

#define MESH            "kernels/mesh_allreduce.py -P 2 --arg SIZE=8 --arg CHUNK=8"
#define RING            "kernels/put_ring.py -P 2 --arg SIZE=8 --arg CHUNK=8"
#define CREDIT          "kernels/local_read_credit.py -P 2"
#define PUBLISH         "kernels/scalar_publish.py -P 2"
#define READ_AFTER_WAIT "kernels/scalar_read_after_wait.py -P 2"

/* ---- running ---- */

struct bed {
    struct arena arena;
    char folder[64];
};

struct result {
    const char *out, *err;
    int code;
};

static void bed_open(struct bed *b)
{
    *b = (struct bed){.folder = "/tmp/fencebench-explore-XXXXXX"};
    cr_assert(mkdtemp(b->folder), "no folder");
}

static void bed_close(struct bed *b)
{
    cr_expect(system(arena_printf(&b->arena, "rm -r '%s'", b->folder)) == 0);
    arena_free(&b->arena);
}

static const char *path_in(struct bed *b, const char *name)
{
    return arena_printf(&b->arena, "%s/%s", b->folder, name);
}

static const char *file_text(struct bed *b, const char *name)
{
    struct diag d = {.arena = &b->arena};
    const struct source *s = source_read(&b->arena, path_in(b, name), &d);
    cr_assert(s, "%s", diag_text(&d, &b->arena));
    return s->text;
}

/* A run that does not end is stopped, so that nothing outlives a test. */
static struct result run(struct bed *b, const char *args)
{
    const char *bench = getenv("FENCEBENCH");
    const char *command =
        arena_printf(&b->arena, "timeout 120 '%s' explore %s >'%s/out' 2>'%s/err' </dev/null",
                     bench ? bench : "build/fencebench", args, b->folder, b->folder);
    int status = system(command);
    return (struct result){.out = file_text(b, "out"),
                           .err = file_text(b, "err"),
                           .code = WIFEXITED(status) ? WEXITSTATUS(status) : 128};
}

/* ---- reading reports ---- */

/* The line at *at without its newline, and *at behind it; NULL at the end. */
static const char *next_line(struct arena *a, const char **at)
{
    if (!**at)
        return NULL;
    size_t n = strcspn(*at, "\n");
    const char *line = arena_strndup(a, *at, n);
    *at += n + ((*at)[n] == '\n');
    return line;
}

/* Without the numbers of states and transitions, which are the explorer's business. */
static const char *without_counts(struct arena *a, const char *text)
{
    struct strbuf b = strbuf_make(a);
    for (const char *line; (line = next_line(a, &text));) {
        const char *counts = strstr(line, " states, "), *found = strstr(line, ", in ");
        const char *answer = counts ? strstr(line, " final states; ") : NULL;
        if (strstr(line, "    with the oracle's clocks"))
            continue; /* how it was done */
        if (answer)
            strbuf_add(&b, answer + strlen(" final states; "));
        else
            strbuf_addn(&b, line, found ? (size_t)(found - line) : strlen(line));
        strbuf_add(&b, "\n");
    }
    return b.text;
}

/* The answer, and of each finding what it is and where the fresh value was. */
static const char *summary(struct arena *a, const char *text)
{
    struct strbuf b = strbuf_make(a);
    text = without_counts(a, text);
    for (const char *line; (line = next_line(a, &text));) {
        const char *where = strstr(line, "      where     "), *headline = strstr(line, ": error: ");
        if (where)
            strbuf_addf(&b, "    %s\n", where + strlen("      where     "));
        else if (strncmp(line, "      ", 6))
            strbuf_addf(&b, "%s\n",
                        headline ? headline + strlen(": error: ") : line + strspn(line, " "));
    }
    return b.text;
}

/* ---- verdicts ---- */

#define LATE  "    in flight, but posted only after the notify\n"
#define DIRTY "    dirty in the producer's cache\n"

static const struct {
    const char *why, *args;
    int code;
    const char *summary;
} rows[] = {
    {"notify drains no loads before it lets the buffer go (pypto-facts 4)", MESH, 1,
     "findings:\noverrun read at win[0]@0\n"},
    {"notify drains the pipes first", MESH " --toolchain=proposed-drain", 0, "clean\n"},
    {"a load is over when it is issued", MESH " --model=sc", 0, "clean\n"},
    {"the fence of W2 holds the signal until the put has arrived", RING, 0, "clean\n"},
    {"the signal overtakes the put on another path", RING " --markers=off", 1,
     "findings:\nstale read at win[0]@0\n    in flight\n"},
    {"all messages of a pair of ranks stay in order", RING " --markers=off --model=a2a3-fifo", 0,
     "clean\n"},
    {"messages arrive at once", RING " --markers=off --model=sc", 0, "clean\n"},
    {"W2's dsb is what holds the signal back", RING " --remove=6", 1,
     "findings:\nstale read at win[0]@0\n    in flight\n"},
    {"W2's barrier repeats that of the put", RING " --remove=5", 0, "clean\n"},
    {"a signal that is never cleaned never arrives", RING " --remove=8", 1,
     "findings:\nhang at sig[0]@0\n" DIRTY},
    {"one dcci cleans the first line, the words of the second stay; the flush behind the reader's "
     "answer posts them too late",
     PUBLISH, 1,
     "findings:\nstale read at win[16]@0\n" LATE "stale read at win[31]@0\n" LATE
     "stale read at win[16]@0\n" DIRTY "stale read at win[31]@0\n" DIRTY},
    {"a clean of every line of the region", PUBLISH " --toolchain=proposed", 0, "clean\n"},
    {"nothing is cached", PUBLISH " --markers=off --model=sc", 0, "clean\n"},
    {"the invalidate behind the wait takes the old line out", READ_AFTER_WAIT, 0, "clean\n"},
    {"neither a fence nor an invalidate", READ_AFTER_WAIT " --markers=off", 1,
     "findings:\nstale read at win[0]@1\n    in flight\nstale read at win[0]@1\n"
     "    old line at the reader\n"},
};

Test(explore, verdicts, .timeout = 300)
{
    struct bed b;
    bed_open(&b);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct result r = run(&b, rows[i].args);
        cr_expect_eq(r.code, rows[i].code, "%s: exit code %d", rows[i].args, r.code);
        expect_text(rows[i].why, summary(&b.arena, r.out), rows[i].summary);
        expect_text(rows[i].why, r.err, "");
    }
    bed_close(&b);
}

/* ---- prefetches ---- */

/* The reader has no line of the window before its wait, but for one that comes on its own. Which
 * element it reads is said by the kernel, by an argument, by a tensor that nothing writes, and by
 * one that the kernel has written itself. */
static const char one_read[] =
    "# fencebench: ranks 2\n"
    "# fencebench: arg role=rank\n"
    "# fencebench: arg at=3*rank\n"
    "import pypto.language as pl\n"
    "import pypto.language.distributed as pld\n"
    "@pl.program\n"
    "class OneRead:\n"
    "    @pl.function(type=pl.FunctionType.InCore)\n"
    "    def f(self, inp: pl.Tensor[[1, 8], pl.INT32], index: pl.Tensor[[1, 8], pl.INT32],\n"
    "          win: pl.InOut[pld.DistributedTensor[[1, 8], pl.INT32]],\n"
    "          sig: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],\n"
    "          own: pl.InOut[pl.Tensor[[1, 8], pl.INT32]], out: pl.InOut[pl.Tensor[[1, 8], "
    "pl.INT32]],\n"
    "          role: pl.Scalar[pl.INT32], at: pl.Scalar[pl.INT32]):\n"
    "        if role == 0:\n"
    "            t = pl.load(inp, [0, 0], [1, 8])\n"
    "            pld.tile.remote_store(t, win, 1, [0, 0])\n"
    "            pl.system.fence()\n"
    "            pld.system.notify(sig, 1, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)\n"
    "        else:\n"
    "%s"
    "            pld.system.wait(sig, [0, 0], 1, cmp=pld.WaitCmp.Ge)\n"
    "            a = pl.read(win, [0, %s])\n"
    "            pl.write(out, [0, 0], a)\n";

static const struct {
    const char *name, *before, *index;
} reads[] = {
    {"a constant", "", "2"},
    {"an argument", "", "at + 1"},
    {"a tensor that nothing writes", "            i = pl.read(index, [0, 1])\n", "i"},
    {"a word of memory",
     "            pl.write(own, [0, 0], 2)\n            i = pl.read(own, [0, 0])\n", "i"},
};

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0, "cannot write %s", path);
}

Test(explore, prefetches_come_through_registers, .timeout = 300)
{
    struct bed b;
    bed_open(&b);
    for (size_t i = 0; i < COUNT(reads); i++) {
        const char *path = path_in(&b, "one_read.py");
        write_file(path, arena_printf(&b.arena, one_read, reads[i].before, reads[i].index));
        const struct {
            const char *options;
            int code;
        } cases[] = {{"--markers=off --model=weakest", 1},
                     {"--markers=off --model=a2a3-evict", 0},
                     {"--model=weakest", 0}};
        for (size_t k = 0; k < COUNT(cases); k++) {
            struct result r = run(&b, arena_printf(&b.arena, "%s %s", path, cases[k].options));
            cr_expect_eq(r.code, cases[k].code, "%s, %s: exit code %d, %s%s", reads[i].name,
                         cases[k].options, r.code, r.out, r.err);
            cr_expect(!cases[k].code || strstr(r.out, "old line at the reader"), "%s", r.out);
        }
    }
    bed_close(&b);
}

/* The number of states is a property of the kernel, whoever counts them. */
Test(explore, threads_change_nothing, .timeout = 300)
{
    static const char *const programs[] = {MESH, RING " --remove=6 --witness", PUBLISH,
                                           READ_AFTER_WAIT " --markers=off --witness",
                                           "kernels/put_atomic_add.py -P 2 --markers=off"};
    struct bed b;
    bed_open(&b);
    for (size_t i = 0; i < COUNT(programs); i++) {
        struct result one = run(&b, arena_printf(&b.arena, "%s -j 1", programs[i]));
        for (int j = 2; j <= 4; j++) {
            const char *args = arena_printf(&b.arena, "%s -j %d", programs[i], j);
            struct result r = run(&b, args);
            expect_text(args, r.out, one.out);
            cr_expect_eq(r.code, one.code, "%s: exit code %d", args, r.code);
        }
    }
    bed_close(&b);
}

Test(explore, reduction_keeps_the_findings, .timeout = 300)
{
    static const char *const programs[] = {CREDIT,
                                           RING,
                                           RING " --markers=off",
                                           RING " --remove=8",
                                           PUBLISH,
                                           PUBLISH " --markers=off",
                                           READ_AFTER_WAIT " --markers=off"};
    struct bed b;
    bed_open(&b);
    for (size_t i = 0; i < COUNT(programs); i++) {
        struct result reduced = run(&b, programs[i]);
        struct result full = run(&b, arena_printf(&b.arena, "%s --no-reduction", programs[i]));
        cr_expect_eq(reduced.code, full.code, "%s: exit codes %d and %d", programs[i], reduced.code,
                     full.code);
        expect_text(programs[i], without_counts(&b.arena, reduced.out),
                    without_counts(&b.arena, full.out));
    }
    bed_close(&b);
}

/* The answer, and each verdict of each word once. */
static const char *verdicts_of(struct arena *a, const char *text)
{
    struct strbuf b = strbuf_make(a);
    text = without_counts(a, text);
    for (const char *line; (line = next_line(a, &text));)
        if (strncmp(line, "      ", 6) && !strstr(b.text, line))
            strbuf_addf(&b, "%s\n", line);
    return b.text;
}

/* A read that is looked up is judged as one that clocks judge; and more ranks than a set of the cache
 * has lines explore as if it had enough. */
Test(explore, a_course_keeps_the_findings, .timeout = 300)
{
    static const char *const programs[] = {MESH,
                                           MESH " --markers=off",
                                           CREDIT,
                                           RING " --markers=off",
                                           RING " --remove=8",
                                           PUBLISH,
                                           PUBLISH " --markers=off",
                                           READ_AFTER_WAIT " --markers=off",
                                           "kernels/put_ring.py -P 3 --arg SIZE=4 --arg CHUNK=4",
                                           "kernels/host/signal_reuse.py -P 2",
                                           "kernels/put_atomic_add.py -P 3 --markers=off",
                                           "kernels/lanes_through_memory.py -P 1 --markers=off",
                                           "kernels/lanes_through_memory.py -P 1 --remove=0",
                                           "kernels/lanes_through_memory.py -P 1 --remove=1",
                                           "kernels/lanes_through_memory.py -P 1 --remove=2",
                                           "kernels/lanes_through_memory.py -P 1 --remove=3",
                                           "kernels/notify_wait_tag.py -P 4"};
    struct bed b;
    bed_open(&b);
    for (size_t i = 0; i < COUNT(programs); i++) {
        struct result course = run(&b, programs[i]);
        struct result clocks = run(&b, arena_printf(&b.arena, "%s --clocks", programs[i]));
        cr_expect_eq(course.code, clocks.code, "%s: exit codes %d and %d", programs[i], course.code,
                     clocks.code);
        expect_text(programs[i], verdicts_of(&b.arena, course.out),
                    verdicts_of(&b.arena, clocks.out));
    }
    bed_close(&b);
}

/* ---- limits ---- */

#define LIMIT "a limit was hit, so this is no proof; "

Test(explore, limits, .timeout = 300)
{
    static const char *const programs[] = {RING " --max-states=1", RING " --max-memory=1",
                                           RING " --max-memory=2K",
                                           RING " --no-reduction --max-states=1"};
    struct bed b;
    bed_open(&b);
    for (size_t i = 0; i < COUNT(programs); i++) {
        struct result r = run(&b, arena_printf(&b.arena, "%s -j 1", programs[i]));
        expect_text(programs[i], summary(&b.arena, r.out), LIMIT "nothing found so far\n");
        cr_expect_eq(r.code, 3, "%s: exit code %d", programs[i], r.code);
    }
    bed_close(&b);
}

/* What was found stands; where nothing was found, a limit never reads as clean. */
Test(explore, a_limit_is_never_clean, .timeout = 300)
{
    static const struct {
        const char *answer;
        int code;
    } answers[] = {{LIMIT "nothing found so far\n", 3},
                   {LIMIT "findings:\noverrun read at win[0]@", 1},
                   {"findings:\noverrun read at win[0]@", 1}};
    struct bed b;
    int limited = 0;
    bed_open(&b);
    for (int n = 1; n < 2000; n += 100) {
        struct result r = run(&b, arena_printf(&b.arena, MESH " -j 1 --max-states=%d", n));
        const char *text = summary(&b.arena, r.out);
        size_t k = 0;
        while (k < COUNT(answers) && strncmp(text, answers[k].answer, strlen(answers[k].answer)))
            k++;
        cr_assert(k < COUNT(answers), "%d states: %s", n, text);
        cr_expect_eq(r.code, answers[k].code, "%d states: exit code %d, %s", n, r.code, text);
        limited += k < 2;
    }
    cr_expect(limited, "no limit was hit");
    bed_close(&b);
}

/* ---- witnesses ---- */

/* The timeline behind the report, or NULL; *steps: what its title says. */
static const char *timeline(const char *out, int *steps)
{
    const char *title = strstr(out, "    a shortest run of ");
    if (!title || sscanf(title, "    a shortest run of %d steps to a finding", steps) != 1)
        return NULL;
    return strchr(title, '\n') + 1;
}

/* Steps number n, n + 1, ..., one a line, and the last one is the read that found the old value:
 * a run that went on, or ended elsewhere, would not be the shortest. */
Test(explore, witness)
{
    struct bed b;
    bed_open(&b);
    struct result r = run(&b, RING " --remove=6 --witness");
    int steps, n = 0;
    const char *at = timeline(r.out, &steps), *line, *last = "";
    cr_assert(at, "%s", r.out);
    expect_text("head", next_line(&b.arena, &at), "# cycles: start to effect; rank; unit; what");
    for (; (line = next_line(&b.arena, &at)); n++, last = line) {
        int start, end;
        cr_assert(sscanf(line, "%d %d  rank ", &start, &end) == 2, "%s", line);
        cr_expect(start == n && end == n + 1, "step %d: %s", n, line);
    }
    cr_expect_eq(n, steps, "%d lines of %d steps", n, steps);
    cr_expect(strstr(last, "  rank 0  mte2    line 34   mte2 "), "the last step: %s", last);
    cr_expect(strstr(last, "  # reads win[0..7]@0 = 0, 0, 0, 0, ... (initial)  <== stale read at "),
              "the fault is marked: %s", last);
    cr_expect(strstr(r.out, "line 30   poll "), "the wait was passed: %s", r.out);
    bed_close(&b);
}

Test(explore, no_witness_of_a_clean_kernel)
{
    struct bed b;
    bed_open(&b);
    struct result r = run(&b, arena_printf(&b.arena, RING " --witness --dot=%s --trace=%s",
                                           path_in(&b, "run.dot"), path_in(&b, "run.json")));
    expect_text("report", summary(&b.arena, r.out),
                "clean\nnothing was found, so there is no run to show\n");
    cr_expect_eq(r.code, 0);
    cr_expect(access(path_in(&b, "run.dot"), F_OK) != 0 &&
              access(path_in(&b, "run.json"), F_OK) != 0);
    bed_close(&b);
}

/* Every line is a node of a cluster, or an edge between nodes that stand above it; each node once. */
static int dot_nodes(struct arena *a, const char *text)
{
    int nodes = 0, from, to, number, used;
    expect_text("first line", next_line(a, &text), "digraph witness {");
    expect_text("defaults", next_line(a, &text), "  node [shape=box, fontname=\"sans-serif\"];");
    expect_text("defaults", next_line(a, &text), "  edge [fontname=\"sans-serif\"];");
    for (const char *line; (line = next_line(a, &text)) && strcmp(line, "}");) {
        size_t len = strlen(line);
        used = 0;
        if (!strcmp(line, "  }") || !strncmp(line, "    label=\"rank ", 16) ||
            !strncmp(line, "  subgraph cluster_", 19))
            continue;
        if (sscanf(line, "  n%d -> n%d [color=\"#%n", &from, &to, &used) == 2 && used)
            cr_expect(from < nodes && to < nodes && !strcmp(line + len - 2, "];"), "%s", line);
        else if (sscanf(line, "    n%d [label=\"%d: rank %n", &from, &number, &used) == 2 && used)
            cr_expect(nodes++ >= 0 && number == from && !strcmp(line + len - 3, "\"];"), "%s",
                      line);
        else
            cr_expect(false, "neither a node nor an edge: %s", line);
    }
    expect_text("behind the last brace", text, "");
    return nodes;
}

/* Complete events of a trace: name, process, thread, and a time that does not go back. */
static int trace_steps(const char *text)
{
    json_error_t error;
    json_t *top = json_loads(text, 0, &error), *event;
    cr_assert(top, "%s", error.text);
    double ts, dur, last = 0;
    int steps = 0, pid, tid;
    size_t i;
    json_array_foreach(json_object_get(top, "traceEvents"), i, event)
    {
        const char *ph, *name;
        cr_assert(json_unpack(event, "{s:s, s:s}", "ph", &ph, "name", &name) == 0);
        if (strcmp(ph, "X"))
            continue;
        cr_expect(json_unpack(event, "{s:i, s:i, s:F, s:F}", "pid", &pid, "tid", &tid, "ts", &ts,
                              "dur", &dur) == 0 &&
                      ts >= last && dur > 0,
                  "event %zu: %s", i, name);
        last = ts;
        steps++;
    }
    json_decref(top);
    return steps;
}

Test(explore, files)
{
    struct bed b;
    bed_open(&b);
    struct result r =
        run(&b, arena_printf(&b.arena, RING " --remove=6 --witness --dot=%s --trace=%s",
                             path_in(&b, "run.dot"), path_in(&b, "run.json")));
    int steps;
    const char *lines = timeline(r.out, &steps);
    cr_assert(lines, "%s%s", r.out, r.err);
    cr_expect_eq(r.code, 1);
    cr_expect_eq(dot_nodes(&b.arena, file_text(&b, "run.dot")), steps);
    cr_expect_eq(trace_steps(file_text(&b, "run.json")), steps);
    /* Without --witness the files are all; a .txt is the timeline. */
    r = run(&b, arena_printf(&b.arena, RING " --remove=6 --trace=%s", path_in(&b, "run.txt")));
    int none;
    cr_expect(!timeline(r.out, &none), "%s", r.out);
    expect_text("timeline", file_text(&b, "run.txt"), lines);
    bed_close(&b);
}

/* One error, no half-written file, and the report is there all the same. */
Test(explore, unwritable_files)
{
    static const char missing[] = "/nowhere/a: error: cannot write: No such file or directory\n";
    struct bed b;
    bed_open(&b);
    const char *folder =
        arena_printf(&b.arena, "%s: error: cannot write: Is a directory\n", path_in(&b, "d"));
    cr_assert(system(arena_printf(&b.arena, "mkdir '%s'", path_in(&b, "d"))) == 0);
    const struct {
        const char *args, *err;
    } cases[] = {
        {"--dot=/nowhere/a", missing},
        {"--trace=/nowhere/a", missing},
        {"--witness --dot=/nowhere/a --trace=/nowhere/b", missing},
        {arena_printf(&b.arena, "--dot=%s", path_in(&b, "d")), folder},
        {arena_printf(&b.arena, "--trace=%s", path_in(&b, "d")), folder},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct result r = run(&b, arena_printf(&b.arena, RING " --remove=6 %s", cases[i].args));
        expect_text(cases[i].args, r.err, cases[i].err);
        cr_expect_eq(r.code, 2, "%s: exit code %d", cases[i].args, r.code);
        cr_expect(strstr(r.out, "stale read at win[0]@0"), "%s", r.out);
    }
    cr_assert(system(arena_printf(&b.arena, "ls '%s' > '%s'", b.folder, path_in(&b, "list"))) == 0);
    expect_text("files", file_text(&b, "list"), "d\nerr\nlist\nout\n");
    bed_close(&b);
}

/* ---- JSON ---- */

/* The same content as the report. */
Test(explore, json)
{
    struct bed b;
    bed_open(&b);
    struct result r = run(&b, RING " --remove=6 --json");
    cr_expect_eq(r.code, 1);
    json_error_t error;
    json_t *top = json_loads(r.out, 0, &error), *findings;
    cr_assert(top, "%s: %s", error.text, r.out);
    const char *command, *kernel, *model;
    int ranks, complete;
    json_int_t states, finals;
    cr_assert(json_unpack(top, "{s:s, s:[{s:s, s:s, s:i, s:b, s:I, s:I, s:o}]}", "command",
                          &command, "results", "kernel", &kernel, "model", &model, "ranks", &ranks,
                          "complete", &complete, "machine_states", &states, "final_states", &finals,
                          "findings", &findings) == 0,
              "%s", r.out);
    expect_text("command", command, "explore");
    expect_text("kernel", kernel, "put_ring");
    expect_text("model", model, "a2a3");
    cr_expect(ranks == 2 && complete && states > 0 && finals > 0, "%s", r.out);
    const char *verdict, *address;
    json_int_t met;
    cr_assert(json_array_size(findings) == 1 &&
                  json_unpack(json_array_get(findings, 0), "{s:s, s:s, s:I}", "verdict", &verdict,
                              "address", &address, "states", &met) == 0,
              "%s", r.out);
    expect_text("verdict", verdict, "stale read");
    expect_text("address", address, "win[0]@0");
    cr_expect(met > 0);
    json_decref(top);
    bed_close(&b);
}

/* ---- errors and progress ---- */

/* Nothing is explored; NULL: a usage error, whose text is argp's. */
Test(explore, bad_input)
{
    static const struct {
        const char *args, *err;
    } cases[] = {
        {RING " --remove=21", "kernels/put_ring.py: error: has 21 sites, numbered from 0; "
                              "there is no site 21 to remove\n"},
        {RING " --model=sc,a2a3", "kernels/put_ring.py: error: explore takes one model and "
                                  "one number of ranks; these are 2 cases\n"},
        {"kernels/put_ring.py -P 2,3 --arg SIZE=4 --arg CHUNK=4",
         "kernels/put_ring.py: error: explore takes one model and one number of ranks; "
         "these "
         "are 2 cases\n"},
        {RING " --driver=random", NULL},
        {RING " --runs=5", NULL},
        {RING " --json --witness", NULL},
        {"none.py", "none.py: error: cannot open: No such file or directory\n"},
        {RING " --remove=-1", NULL},
        {RING " --remove=x", NULL},
        {RING " --max-states=0", NULL},
        {RING " --max-memory=0", NULL},
        {RING " --max-memory=1T", NULL},
        {RING " --max-memory=1GB", NULL},
        {RING " --max-memory=9999999999999G", NULL},
        {RING " --model=a2a4", NULL},
        {RING " " RING, NULL},
        {"", NULL},
    };
    struct bed b;
    bed_open(&b);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct result r = run(&b, cases[i].args);
        cr_expect_eq(r.code, 2, "%s: exit code %d", cases[i].args, r.code);
        expect_text(cases[i].args, r.out, "");
        if (cases[i].err)
            expect_text(cases[i].args, r.err, cases[i].err);
        else
            cr_expect(*r.err, "%s: no error", cases[i].args);
    }
    bed_close(&b);
}

/* On request also where standard error is no terminal: the line that is rewritten on one becomes a
 * line each time. */
Test(explore, progress, .timeout = 300)
{
    struct bed b;
    bed_open(&b);
    struct result r = run(&b, "kernels/notify_wait_tag.py -P 4 --no-reduction "
                              "--max-states=20000 -j 1 --progress");
    unsigned long long states, rate, depth, waiting;
    cr_expect(sscanf(r.err, "notify_wait_tag: %llu states, %llu/s, depth %llu, %llu waiting\n",
                     &states, &rate, &depth, &waiting) == 4 &&
                  states > 1000 && rate > 0 && depth > 10 && waiting > 0 && !strchr(r.err, '\r'),
              "%s", r.err);
    cr_expect_eq(r.code, 3, "%s", r.out);
    bed_close(&b);
}
