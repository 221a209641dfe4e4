/* SPDX-License-Identifier: MIT */
/*
 * fencebench litmus --emit from the outside: what is printed, which files are written, and every
 * misuse.
 */
#include <stdlib.h>

#include "base/diag.h"
#include "tests/bench/session.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static struct session_result emit(struct session *b, const char *args)
{
    return session_shell(b, arena_printf(&b->arena, "$F litmus %s", args));
}

static const char one[] = "GM A\n{ x }\nP0 ;\nm1: st x, 1 ;\nm2: dcci x ;\n"
                          "expect a2a3 Always ;\nexpect a2a3 -m2 Never ;\nexists (x=1)\n";

static void emit_open(struct session *b)
{
    session_open(b);
    session_write(b, "a.litmus", one);
    session_write(b, "up.litmus", "GM ../up\n{ x }\nP0 ;\nld r0, x ;\nexists (0:r0=1)\n");
    session_write(b, "b.litmus", "GM B\n{ x }\nP0 ;\nld r0, x ;\nexists (0:r0=1)\n");
}

/* ---- standard output ---- */

Test(litmus_emit, one_model)
{
    struct session b;
    emit_open(&b);
    struct session_result r = emit(&b, "a.litmus --emit=promela --model sc");
    expect_text("err", r.err, "");
    cr_expect_eq(r.code, 0);
    cr_expect(strstr(r.out, " * A under the contract sc, toolchain ptoas-0.57.\n"), "%s", r.out);
    cr_expect(strstr(r.out, "gm_x_at0 = 1;"), "%s", r.out);
    /* without an instruction */
    r = emit(&b, "a.litmus --emit promela --model sc --remove m1");
    cr_expect(strstr(r.out, " * A-m1 under the contract sc,"), "%s", r.out);
    cr_expect(!strstr(r.out, "gm_x_at0 = 1;"), "%s", r.out);
    session_close(&b);
}

/* ---- a folder ---- */

/* Tests, models, and the variants that a model has an expectation for; what is printed for one is
 * what its file holds. */
Test(litmus_emit, folder)
{
    struct session b;
    emit_open(&b);
    struct session_result r = emit(&b, "a.litmus b.litmus --emit=promela --model sc,a2a3 -o new");
    expect_text("out", r.out, "");
    expect_text("err", r.err, "");
    cr_expect_eq(r.code, 0);
    expect_text("files", session_shell(&b, "ls new | LC_ALL=C sort").out,
                "A-m2.a2a3.pml\nA.a2a3.pml\nA.sc.pml\nB.a2a3.pml\nB.sc.pml\n");
    expect_text("B under sc", emit(&b, "b.litmus --emit=promela --model sc").out,
                session_read(&b, "new/B.sc.pml"));
    /* the folder may be there */
    cr_expect_eq(emit(&b, "a.litmus --emit=promela -o new").code, 0);
    session_close(&b);
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
    struct session b;
    emit_open(&b);
    const char *a2a3 =
        arena_printf(&b.arena, "%s/machines/a2a3.model", getenv("FENCEBENCH_MODELS"));
    session_shell(
        &b, arena_printf(&b.arena,
                         "sed 's/^partial_line_dma = .*/partial_line_dma = read_modify_write/' "
                         "'%s' >rmw.model",
                         a2a3));
    for (size_t i = 0; i < COUNT(misuses); i++) {
        struct session_result r = emit(&b, misuses[i].args);
        cr_expect_eq(r.code, 2, "%s: exit code %d", misuses[i].args, r.code);
        cr_expect(strstr(r.err, misuses[i].error), "%s: no '%s' in\n%s", misuses[i].args,
                  misuses[i].error, r.err);
        expect_text(misuses[i].args, r.out, "");
        cr_expect(session_shell(&b, "[ ! -e new ] || [ -z \"$(ls new)\" ]").code == 0, "%s: files",
                  misuses[i].args);
    }
    session_close(&b);
}
