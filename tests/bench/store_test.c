/* SPDX-License-Identifier: MIT */
/* What a sweep keeps in a file: killed at any moment it goes on where it was, and a file that cannot be used is one clear
 * error. */
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/rng.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static const char *binary(void)
{
    const char *given = getenv("FENCEBENCH");
    return given ? given : "build/fencebench";
}

/* A folder of its own for each test. */
struct rig {
    struct arena arena;
    char folder[40];
};

static void rig_open(struct rig *r)
{
    *r = (struct rig){.folder = "/tmp/fencebench-store-XXXXXX"};
    cr_assert(mkdtemp(r->folder) != NULL);
}

static void rig_close(struct rig *r)
{
    cr_expect(system(arena_printf(&r->arena, "rm -r %s", r->folder)) == 0);
    arena_free(&r->arena);
}

static const char *path_in(struct rig *r, const char *name)
{
    return arena_printf(&r->arena, "%s/%s", r->folder, name);
}

static const char *text_of(struct rig *r, const char *path)
{
    struct diag d = {.arena = &r->arena};
    const struct source *s = source_read(&r->arena, path, &d);
    return s ? s->text : diag_text(&d, &r->arena);
}

/* Some thirty mutants in some ten milliseconds; a few of them are explored. */
#define SWEEP                                                                                      \
    "sweep -P 2 --runs=4 --max-states=2000 --origins=W1,R1 kernels/scalar_publish_first_line.py"

/* Starts a sweep with a database and a table, --resume or not. */
static pid_t start(const char *db, const char *csv, bool resume)
{
    pid_t pid = fork();
    if (pid)
        return pid;
    char db_option[64], csv_option[64];
    snprintf(db_option, sizeof db_option, "--db=%s", db);
    snprintf(csv_option, sizeof csv_option, "--csv=%s", csv);
    int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    execl(binary(), "fencebench", "sweep", "-P", "2", "--runs=4", "--max-states=2000",
          "--origins=W1,R1", db_option, csv_option, "kernels/scalar_publish_first_line.py",
          resume ? "--resume" : NULL, NULL);
    _exit(127);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int finish(pid_t pid)
{
    int status;
    cr_assert(waitpid(pid, &status, 0) == pid);
    return status;
}

/* The least of some whole sweeps. */
static double time_of_one(struct rig *r, const char *db, const char *csv)
{
    double least = 1e9;
    for (int i = 0; i < 3; i++) {
        double begin = now();
        int status = finish(start(db, csv, false));
        cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %d", status);
        least = now() - begin < least ? now() - begin : least;
        unlink(db);
        unlink(arena_printf(&r->arena, "%s-wal", db));
        unlink(arena_printf(&r->arena, "%s-shm", db));
    }
    return least;
}

/* True when the sweep was killed before it ended. */
static bool kill_after(double seconds, const char *db, const char *csv, bool resume)
{
    pid_t pid = start(db, csv, resume);
    usleep((useconds_t)(1e6 * seconds));
    kill(pid, SIGKILL);
    return WIFSIGNALED(finish(pid));
}

/* Killed at 100 points of time, every other one once more while it resumes: the table at the end is that of a sweep in
 * one go, byte for byte. */
Test(store, killed_anywhere, .timeout = 300)
{
    enum { POINTS = 100 };
    struct rig r;
    rig_open(&r);
    struct rng rng = rng_make(1, 0);
    const char *whole = path_in(&r, "whole.csv"), *csv = path_in(&r, "resumed.csv");
    double least = time_of_one(&r, path_in(&r, "whole.db"), whole);
    int killed = 0;
    for (int i = 0; i < POINTS; i++) {
        const char *db = path_in(&r, arena_printf(&r.arena, "%d.db", i));
        for (int k = 0; k <= i % 2; k++)
            killed += kill_after(least * rng_unit(&rng), db, csv, k > 0);
        unlink(csv);
        int status = finish(start(db, csv, true));
        cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "point %d: status %d", i, status);
        cr_assert(!strcmp(text_of(&r, csv), text_of(&r, whole)), "point %d: another table", i);
    }
    cr_expect(killed > POINTS / 10, "only %d sweeps were killed", killed);
    rig_close(&r);
}

/* Explored answers are kept as runs are: a resumed sweep says them without exploring a mutant again. */
Test(store, explored_answers_are_kept, .timeout = 60)
{
    struct rig r;
    sqlite3 *db;
    rig_open(&r);
    const char *file = path_in(&r, "x.db"), *csv = path_in(&r, "x.csv");
    finish(start(file, csv, false));
    const char *first = text_of(&r, csv);
    cr_assert(strstr(first, ",redundant,"), "%s", first);
    cr_assert(sqlite3_open(file, &db) == SQLITE_OK);
    cr_assert(sqlite3_exec(db, "UPDATE sweep SET states = 77 WHERE states > 0", NULL, NULL, NULL) ==
              SQLITE_OK);
    sqlite3_close(db);
    finish(start(file, csv, true));
    cr_expect(strstr(text_of(&r, csv), ",77,"), "%s", text_of(&r, csv));
    rig_close(&r);
}

static void write_database(const char *path, const char *statements)
{
    sqlite3 *db;
    cr_assert(sqlite3_open(path, &db) == SQLITE_OK);
    cr_assert(sqlite3_exec(db, statements, NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_close(db);
}

/* %s: the folder. */
static const struct {
    const char *name, *options, *error;
} bad_files[] = {
    {"a full disk", "--db=/dev/full", "/dev/full: error: cannot set up: database or disk is full"},
    {"a folder that is not there", "--db=/nonexistent/x.db",
     "/nonexistent/x.db: error: cannot open: unable to open database file"},
    {"a folder", "--db=/tmp", "/tmp: error: cannot open: unable to open database file"},
    {"what cannot be written", "--db=/proc/version", "/proc/version: error: cannot set up: "},
    {"a text", "--db=%s/text", "/text: error: is no result file: file is not a database"},
    {"an older version", "--db=%s/old.db",
     "/old.db: error: is a result file of version 1, and this program writes version 2: sweep into "
     "a new one"},
    {"a newer version", "--db=%s/new.db", "/new.db: error: is a result file of version 99, and "},
    {"a database of something else", "--db=%s/else.db",
     "/else.db: error: is no result file: a database of something else"},
    {"merging an older version", "--db=%s/m.db --merge=%s/old.db",
     "/old.db: error: is a result file of version 1, and "},
    {"merging something else", "--db=%s/m.db --merge=%s/else.db",
     "/else.db: error: is no result file: a database of something else"},
    {"merging nothing", "--db=%s/m.db --merge=%s/missing.db",
     "/missing.db: error: cannot open: No such file or directory"},
};

Test(store, files_that_cannot_be_used, .timeout = 60)
{
    struct rig r;
    rig_open(&r);
    write_database(path_in(&r, "old.db"), "CREATE TABLE sweep (key); PRAGMA user_version = 1");
    write_database(path_in(&r, "new.db"), "CREATE TABLE sweep (key); PRAGMA user_version = 99");
    write_database(path_in(&r, "else.db"), "CREATE TABLE letters (text)");
    cr_assert(
        system(arena_printf(&r.arena, "echo a text that is no database > %s/text", r.folder)) == 0);
    for (size_t i = 0; i < COUNT(bad_files); i++) {
        const char *out = path_in(&r, "out"),
                   *options = arena_printf(&r.arena, bad_files[i].options, r.folder, r.folder);
        int status =
            system(arena_printf(&r.arena, "'%s' " SWEEP " %s >%s 2>&1", binary(), options, out));
        cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 2, "%s: status %d", bad_files[i].name,
                  status);
        const char *text = text_of(&r, out);
        cr_expect(strstr(text, bad_files[i].error) && !strstr(text, "mutants:"), "%s: %s",
                  bad_files[i].name, text);
    }
    cr_expect(access(path_in(&r, "missing.db"), F_OK) != 0, "merging made a file");
    rig_close(&r);
}

/* A file that may not grow further is a full disk: an error, and what was kept serves the next sweep. */
Test(store, the_disk_gets_full, .timeout = 60)
{
    static const int blocks[] = {8, 40, 100}; /* of 1024 bytes */
    struct rig r;
    rig_open(&r);
    const char *whole = path_in(&r, "whole.csv"), *csv = path_in(&r, "x.csv");
    finish(start(path_in(&r, "whole.db"), whole, false));
    for (size_t i = 0; i < COUNT(blocks); i++) {
        const char *db = path_in(&r, arena_printf(&r.arena, "%d.db", blocks[i])),
                   *out = path_in(&r, "out");
        int status = system(
            arena_printf(&r.arena, "bash -c \"ulimit -f %d; '%s' " SWEEP " --db=%s >%s 2>&1\"",
                         blocks[i], binary(), db, out));
        cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 2, "%d blocks: status %d", blocks[i],
                  status);
        const char *text = text_of(&r, out);
        cr_expect(strstr(text, db) && strstr(text, ": error: cannot "), "%d blocks: %s", blocks[i],
                  text);
        status = finish(start(db, csv, true));
        cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "resumed: %d", status);
        expect_text("resumed", text_of(&r, csv), text_of(&r, whole));
    }
    rig_close(&r);
}

/* On file systems of their own: the words of the system say what is wrong. */
static const struct {
    const char *name, *prepare, *error;
} bad_disks[] = {
    {"full", "head -c 1040384 /dev/zero > fill",
     "cannot set up: disk I/O error: No space left on device"},
    {"read-only", "mount -o remount,ro .", "cannot open: unable to open database file: "},
    {"read-only, with a file", "$sweep --db=x.db >/dev/null; mount -o remount,ro .",
     "cannot read: unable to open database file: "},
};

Test(store, disks_that_cannot_be_used, .timeout = 60)
{
    struct rig r;
    rig_open(&r);
    if (system("unshare -rm mount -t tmpfs -o size=1m tmpfs /mnt 2>/dev/null") != 0)
        cr_skip_test("no file system can be mounted here");
    for (size_t i = 0; i < COUNT(bad_disks); i++) {
        const char *out = path_in(&r, "out"),
                   *script = arena_printf(&r.arena,
                                          "export FENCEBENCH_MODELS=$PWD/models; "
                                          "sweep=\"$(realpath '%s') sweep -P 2 --runs=4 "
                                          "--origins=W1 --max-states=0 --no-pairs "
                                          "$PWD/kernels/scalar_publish_first_line.py\"; "
                                          "mount -t tmpfs -o size=1m tmpfs %s && cd %s || exit 9; "
                                          "%s; $sweep --db=x.db",
                                          binary(), r.folder, r.folder, bad_disks[i].prepare);
        FILE *f = fopen(path_in(&r, "script"), "w");
        cr_assert(f && fputs(script, f) >= 0 && fclose(f) == 0);
        int status =
            system(arena_printf(&r.arena, "unshare -rm sh %s/script >%s 2>&1", r.folder, out));
        const char *text = text_of(&r, out);
        cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 2, "%s: status %d, %s",
                  bad_disks[i].name, status, text);
        cr_expect(strstr(text, bad_disks[i].error) && !strstr(text, "mutants:"), "%s: %s",
                  bad_disks[i].name, text);
    }
    rig_close(&r);
}

/* Parts say that they try no pairs; what merges them does, and prints what one sweep prints. */
Test(store, parts_and_their_pairs, .timeout = 60)
{
    struct rig r;
    rig_open(&r);
    const char *out = path_in(&r, "out");
    for (int part = 1; part <= 3; part++) {
        cr_expect(
            system(arena_printf(&r.arena, "'%s' " SWEEP " --shard=%d/3 --db=%s/%d.db >%s 2>&1",
                                binary(), part, r.folder, part, out)) == 0);
        cr_expect(strstr(text_of(&r, out),
                         arena_printf(&r.arena, "part %d of 3: pairs are tried by ", part)),
                  "%s", text_of(&r, out));
    }
    cr_expect(system(arena_printf(&r.arena,
                                  "'%s' " SWEEP " --db=%s/1.db --resume --merge=%s/2.db "
                                  "--merge=%s/3.db --csv=%s/merged.csv >%s 2>&1",
                                  binary(), r.folder, r.folder, r.folder, r.folder, out)) == 0);
    cr_expect(strstr(text_of(&r, out), " pairs of sites that are redundant alone: "), "%s",
              text_of(&r, out));
    cr_expect(!strstr(text_of(&r, out), "part 1 of"));
    finish(start(path_in(&r, "whole.db"), path_in(&r, "whole.csv"), false));
    expect_text("merged", text_of(&r, path_in(&r, "merged.csv")),
                text_of(&r, path_in(&r, "whole.csv")));
    rig_close(&r);
}
