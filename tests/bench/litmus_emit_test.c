/* SPDX-License-Identifier: MIT */
/*
 * fencebench litmus --emit from the outside: what is printed, which files are written, and every
 * misuse. The binary is $FENCEBENCH (build/fencebench by default); each test has a folder of its
 * own.
 */
#include <limits.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

struct bed {
    struct arena arena;
    const char *binary;
    char folder[64];
};

struct result {
    const char *out, *err;
    int code;
};

static void write_file(struct bed *b, const char *name, const char *text)
{
    FILE *f = fopen(arena_printf(&b->arena, "%s/%s", b->folder, name), "w");
    cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0, "cannot write %s", name);
}

static const char *file_text(struct bed *b, const char *name)
{
    struct diag d = {.arena = &b->arena};
    const struct source *s =
        source_read(&b->arena, arena_printf(&b->arena, "%s/%s", b->folder, name), &d);
    cr_assert(s, "%s", diag_text(&d, &b->arena));
    return s->text;
}

static struct result shell(struct bed *b, const char *command)
{
    int status = system(
        arena_printf(&b->arena, "cd '%s' && { %s ; } >out 2>err </dev/null", b->folder, command));
    return (struct result){.out = file_text(b, "out"),
                           .err = file_text(b, "err"),
                           .code = WIFEXITED(status) ? WEXITSTATUS(status) : 128};
}

static struct result emit(struct bed *b, const char *args)
{
    return shell(b, arena_printf(&b->arena, "'%s' litmus %s", b->binary, args));
}

static const char one[] = "GM A\n{ x }\nP0 ;\nm1: st x, 1 ;\nm2: dcci x ;\n"
                          "expect a2a3 Always ;\nexpect a2a3 -m2 Never ;\nexists (x=1)\n";

static void bed_open(struct bed *b)
{
    char path[PATH_MAX];
    const char *binary = getenv("FENCEBENCH");
    *b = (struct bed){.folder = "/tmp/fencebench-emit-XXXXXX"};
    cr_assert(realpath(binary ? binary : "build/fencebench", path), "no program to test");
    b->binary = arena_strdup(&b->arena, path);
    cr_assert(realpath("models", path), "no models");
    setenv("FENCEBENCH_MODELS", path, 1);
    cr_assert(mkdtemp(b->folder), "no folder");
    write_file(b, "a.litmus", one);
    write_file(b, "up.litmus", "GM ../up\n{ x }\nP0 ;\nld r0, x ;\nexists (0:r0=1)\n");
    write_file(b, "b.litmus", "GM B\n{ x }\nP0 ;\nld r0, x ;\nexists (0:r0=1)\n");
}

static void bed_close(struct bed *b)
{
    cr_expect(system(arena_printf(&b->arena, "rm -r '%s'", b->folder)) == 0);
    arena_free(&b->arena);
}

/* ---- standard output ---- */

Test(litmus_emit, one_model)
{
    struct bed b;
    bed_open(&b);
    struct result r = emit(&b, "a.litmus --emit=promela --model sc");
    expect_text("err", r.err, "");
    cr_expect_eq(r.code, 0);
    cr_expect(strstr(r.out, " * A under the contract sc, toolchain ptoas-0.57.\n"), "%s", r.out);
    cr_expect(strstr(r.out, "gm_x_at0 = 1;"), "%s", r.out);
    /* without an instruction */
    r = emit(&b, "a.litmus --emit promela --model sc --remove m1");
    cr_expect(strstr(r.out, " * A-m1 under the contract sc,"), "%s", r.out);
    cr_expect(!strstr(r.out, "gm_x_at0 = 1;"), "%s", r.out);
    bed_close(&b);
}

/* ---- a folder ---- */

/* Tests, models, and the variants that a model has an expectation for; what is printed for one is
 * what its file holds. */
Test(litmus_emit, folder)
{
    struct bed b;
    bed_open(&b);
    struct result r = emit(&b, "a.litmus b.litmus --emit=promela --model sc,a2a3 -o new");
    expect_text("out", r.out, "");
    expect_text("err", r.err, "");
    cr_expect_eq(r.code, 0);
    expect_text("files", shell(&b, "ls new | LC_ALL=C sort").out,
                "A-m2.a2a3.pml\nA.a2a3.pml\nA.sc.pml\nB.a2a3.pml\nB.sc.pml\n");
    expect_text("B under sc", emit(&b, "b.litmus --emit=promela --model sc").out,
                file_text(&b, "new/B.sc.pml"));
    /* the folder may be there */
    cr_expect_eq(emit(&b, "a.litmus --emit=promela -o new").code, 0);
    bed_close(&b);
}

/* ---- misuse ---- */

struct misuse_row {
    const char *args, *error;
};

static const struct misuse_row misuses[] = {
    {"a.litmus --emit=murphi", "--emit: unknown language 'murphi'; there is promela"},
    {"a.litmus -o new", "-o needs --emit"},
    {"a.litmus --emit=promela --explore", "--emit runs nothing: it excludes --explore"},
    {"a.litmus --emit=promela --json", "--emit runs nothing"},
    {"a.litmus --emit=promela --promote", "--emit runs nothing"},
    {"a.litmus --emit=promela --kinds", "--emit runs nothing"},
    {"a.litmus b.litmus --emit=promela",
     "a.litmus: error: --emit=promela prints one test under one model; these are 2: name a folder "
     "for them with -o DIR\n"},
    {"a.litmus --emit=promela --model sc,a2a3", "these are 2: name a folder"},
    {"a.litmus --emit=promela --remove m3",
     "no instruction has the label 'm3' to remove; did you mean 'm1'?"},
    {"a.litmus --emit=promela -o a.litmus", "a.litmus: error: cannot make the folder: it is no "
                                            "folder\n"},
    {"a.litmus --emit=promela -o none/new", "none/new: error: cannot make the folder: No such"},
    {"a.litmus a.litmus --emit=promela -o new",
     "a.litmus: error: the test 'A' is also in a.litmus, and their models would have the same "
     "file\n"},
    {"up.litmus --emit=promela -o new",
     "up.litmus: error: the test '../up' has a '/' in its name, and its model would be in another "
     "folder\n"},
    {"a.litmus --emit=promela --model ./rmw.model",
     "a.litmus: error: the contract rmw has partial_line_dma = read_modify_write, which the "
     "Promela model does not know\n"},
    {"none.litmus --emit=promela", "none.litmus: error: "},
};

Test(litmus_emit, misuse)
{
    struct bed b;
    bed_open(&b);
    const char *a2a3 =
        arena_printf(&b.arena, "%s/machines/a2a3.model", getenv("FENCEBENCH_MODELS"));
    shell(&b, arena_printf(&b.arena,
                           "sed 's/^partial_line_dma = .*/partial_line_dma = read_modify_write/' "
                           "'%s' >rmw.model",
                           a2a3));
    for (size_t i = 0; i < COUNT(misuses); i++) {
        struct result r = emit(&b, misuses[i].args);
        cr_expect_eq(r.code, 2, "%s: exit code %d", misuses[i].args, r.code);
        cr_expect(strstr(r.err, misuses[i].error), "%s: no '%s' in\n%s", misuses[i].args,
                  misuses[i].error, r.err);
        expect_text(misuses[i].args, r.out, "");
        cr_expect(shell(&b, "[ ! -e new ] || [ -z \"$(ls new)\" ]").code == 0, "%s: files",
                  misuses[i].args);
    }
    bed_close(&b);
}
